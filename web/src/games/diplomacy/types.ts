// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.

/** The orders of a role are final. */
export interface CameIn {
  is: "came_in";
  role: number;
}

/** Time during which no node ran is given back. */
export interface DeadlineMoved {
  is: "deadline_moved";
  milliseconds: number;
}

/** The date on which this phase ends. */
export interface DeadlineSet {
  is: "deadline_set";
  deadline: number;
}

/** What a table of Diplomacy may choose. */
export interface DiplomacyOptions {
  choices: "AFJD" | "DATC";
  victory: number;
  cycles: number;
  minutes: number;
  adjudication: "final" | "master";
  show_in: boolean;
  sharing: "any" | "fewer" | "none";
  deal: number[];
  calendar: boolean;
  moves_days: number;
  retreats_days: number;
  adjustments_days: number;
  weekends: boolean;
  grace: number;
  disorder_moves: boolean;
  disorder_retreats: boolean;
  disorder_builds: boolean;
  disorder_removals: boolean;
  first_deadline: number;
  archive: boolean;
  hour?: string;
  robots_stand_in?: boolean;
}

/** The position and the last phase, which all may know, and the sealed orders of one's own roles. */
export interface DiplomacyView {
  variant: string;
  advancement: number;
  year: number;
  season: number;
  situation: SituationView;
  victory: number;
  cycles: number;
  choices: "AFJD" | "DATC";
  deadline?: number | null;
  paused: boolean;
  left?: number | null;
  may_undo: boolean;
  overdue: boolean;
  late: number[];
  disorder: number[];
  roles: Record<string, RoleView>;
  you?: number | null;
  orders: Record<string, Order[]>;
  corrected: number[];
  votes: number[];
  gone: number[];
  last?: PlayedView | null;
  earlier: PlayedView[];
  ended?: string | null;
  winner?: number | null;
  writing?: number[];
  postponed?: PostponedView[];
  extended?: boolean;
  stood_in?: number[];
  waits_until?: number | null;
}

export type Dislodged = [number, number, number, number];

/** These roles are in civil disorder for this phase: by the clock after the grace, or the master. */
export interface Disordered {
  is: "disordered";
  roles: number[];
  by: number;
}

export interface Ended {
  is: "ended";
  reason: "abandoned" | "cycles" | "draw" | "solo" | "stopped";
  winner: number;
}

/** A player is gone for good; his roles are in civil disorder. */
export interface Left {
  is: "left";
  seat: number;
}

export type Order = [number, number, number, number, number, boolean | 0 | 1, number];

export type Outcome = "bounces" | "cut" | "disrupted" | "illegal" | "no-convoy" | "succeeds" | "void";

/** A phase that was resolved: the position before it, and what became of each order. */
export interface PlayedView {
  advancement: number;
  before: SituationView;
  verdicts: VerdictView[];
  destroyed: Unit[];
}

/** Why the deadline has moved; in an anonymous game others learn neither for whom nor why. */
export interface PostponedView {
  seats: number[];
  why?: "absence" | "extension" | null;
}

export type Reason = [string, Record<string, number>];

/** Why an order may not be given: a key of the game's words under `reason`, and its parts. */
export interface ReasonView {
  code: string;
  parts: Record<string, number>;
}

/** The orders of a role are no longer final. */
export interface Reconsidered {
  is: "reconsidered";
  role: number;
}

/** No node ran when the deadline passed: nothing happens before then. */
export interface Respite {
  is: "respite";
  until: number;
}

/** The player of a role for which the robot stands in is back: at once, or from the next phase on. */
export interface Returned {
  is: "returned";
  role: number;
  at_once: boolean;
}

/** One role goes over to this seat, which may be new at the table. */
export interface RoleTaken {
  is: "role_taken";
  role: number;
  seat: number;
}

/** A power, as a seat may know it. */
export interface RoleView {
  seat: number;
  centres: number;
  units: number;
  owes: boolean;
  in?: boolean | null;
}

/** Orders are kept as far as they are written; none, and the role has none any more. */
export interface Saved {
  is: "saved";
  role: number;
  orders: Order[];
  by: number;
}

/** Orders were given; `by` is the seat that gave them, the master's where he corrects a player's. */
export interface Sealed {
  is: "sealed";
  role: number;
  orders: Order[];
  by: number;
}

/** A whole position: what the document calls a situation. */
export interface Situation {
  ownerships: Record<string, number>;
  units: Unit[];
  dislodged: Dislodged[];
  fake_units: Unit[];
  forbiddens: number[];
}

/** A position in the shape of the document's E.4: units by role as `[type, zone]`. */
export interface SituationView {
  ownerships: Record<string, number>;
  units: Record<string, [number, number][]>;
  dislodged_ones: Record<string, [number, number, number][]>;
  fake_units: Record<string, [number, number][]>;
  forbiddens: number[];
}

/** Somebody else plays on in this seat. */
export interface TakenOver {
  is: "taken_over";
  seat: number;
}

export interface ToldAdjudicated {
  is: "adjudicated";
  advancement: number;
  verdicts: Verdict[];
  destroyed: Unit[];
  situation: Situation;
}

export interface ToldBegan {
  is: "began";
  variant: string;
  seats: number[];
  holders: number[];
  options: DiplomacyOptions;
  victory: number;
  situation: Situation;
}

export interface ToldOptionsChanged {
  is: "options_changed";
  options: DiplomacyOptions;
  victory: number;
}

/** Who is late is between him and the master: others are told no roles. */
export interface ToldOverdue {
  is: "overdue";
  roles: number[];
}

export interface ToldPassedOver {
  is: "passed_over";
  advancement: number;
  situation: Situation;
}

export interface ToldPaused {
  is: "paused";
}

export interface ToldPositionSet {
  is: "position_set";
  situation: Situation;
  advancement: number;
}

/** The deadline has moved; no seats and no `why` where that is not this seat's to know. */
export interface ToldPostponed {
  is: "postponed";
  deadline: number;
  seats: number[];
  why?: "absence" | "extension" | null;
}

export interface ToldResumed {
  is: "resumed";
  deadline: number;
}

/** The robot plays a role; what it has ordered is sealed. */
export interface ToldStoodIn {
  is: "stood_in";
  role: number;
}

export interface ToldUndone {
  is: "undone";
  advancement: number;
}

export type Unit = [number, number, number];

export type Verdict = [Order, Outcome, boolean, boolean, boolean, boolean, Reason | null];

/** What became of an order. */
export interface VerdictView {
  order: Order;
  outcome: Outcome;
  marks: ("by_default" | "disbanded" | "dislodged" | "paradox")[];
  reason?: ReasonView | null;
}

export interface Voted {
  is: "voted";
  seat: number;
  draw: boolean;
}

export type DiplomacyTold = ToldBegan | Sealed | Saved | CameIn | Reconsidered | ToldAdjudicated | ToldPassedOver | ToldPositionSet | Voted | Left | TakenOver | RoleTaken | DeadlineMoved | DeadlineSet | ToldPostponed | ToldOverdue | Disordered | ToldStoodIn | Returned | Respite | ToldOptionsChanged | ToldUndone | ToldPaused | ToldResumed | Ended;
