// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.

/** The arena as a seat may know it; a player sees his own cards besides, the master those of all. */
export interface ArenaView {
  description: string;
  you?: number | null;
  order: number[];
  players: Record<string, PlayerView>;
  turn?: number | null;
  round: number;
  rounds: number;
  moves: number;
  trumped: boolean;
  strike?: string | null;
  painted: Record<string, string>;
  offered: string[];
  ended?: "finished" | "resigned" | "rounds" | null;
  hand?: NamedCard[];
  gauge?: number;
  trumps?: TrumpView[];
  power?: PowerView | null;
  put_away?: NamedCard[];
  hidden_plays?: NamedCard[];
  private?: Record<string, OwnView>;
}

/** A trump that lies on a player, and whether it acts. */
export interface EffectView {
  trump: string;
  left: number;
  by: number;
  firm: boolean;
  acts: boolean;
}

export interface Ended {
  is: "ended";
  reason: "finished" | "resigned" | "rounds";
  ranks: Record<string, number>;
}

/** A pawn that stood on its aim when its turn began leaves the board. */
export interface Finished {
  is: "finished";
  seat: number;
  rank: number;
}

export interface HeroChosen {
  is: "hero_chosen";
  seat: number;
  hero: string;
  late: boolean;
}

/** A card as people know it. */
export interface NamedCard {
  card: string;
  color: string;
}

/** What a player alone knows; the order of the stock nobody does. */
export interface OwnView {
  hand: NamedCard[];
  gauge: number;
  trumps: TrumpView[];
  power?: PowerView | null;
  put_away: NamedCard[];
  hidden_plays: NamedCard[];
}

export interface Passed {
  is: "passed";
  seat: number;
  late: boolean;
}

/** What others hear of a card that was played under the night mist. */
export interface PlayedInMist {
  is: "played_in_mist";
  seat: number;
}

/** What a seat may know of a player. */
export interface PlayerView {
  arm: number;
  aims: Square[];
  pawn?: Square | null;
  steps_home?: number | null;
  cards: number;
  stock: number;
  played: NamedCard[];
  unseen: number;
  discarded: number;
  effects: EffectView[];
  hero?: string | null;
  mist: number;
  blade: number;
  copy?: string | null;
  copy_left: number;
  rank?: number | null;
  resigned: boolean;
  robot: boolean;
}

/** The active power that a player has now. */
export interface PowerView {
  hero: string;
  cost: number;
}

export interface PushSkipped {
  is: "push_skipped";
  seat: number;
}

export interface Resigned {
  is: "resigned";
  seat: number;
  rank: number;
}

/** He plays for himself again. */
export interface Returned {
  is: "returned";
  seat: number;
}

export type Square = [number, number];

/** A robot goes on for somebody who was passed too often. */
export interface StoodIn {
  is: "stood_in";
  seat: number;
}

/** The game begins. */
export interface ToldDealt {
  is: "dealt";
  order: number[];
  heroes: Record<string, string>;
}

/** A card was put away; which one its player alone knows. */
export interface ToldDiscarded {
  is: "discarded";
  seat: number;
  card?: string;
  color?: string;
}

export interface ToldMistLifted {
  is: "mist_lifted";
  seat: number;
  x: number;
  y: number;
}

/** A card, where the pawn went and on which way; what it added to the gauge its player alone knows. */
export interface ToldPlayed {
  is: "played";
  seat: number;
  card: string;
  color: string;
  x: number;
  y: number;
  from: Square;
  gauge?: number;
  path: Square[];
  strikes: boolean;
}

/** An active power, with what it was used on. */
export interface ToldPowerUsed {
  is: "power_used";
  seat: number;
  hero: string;
  cost: number;
  target?: number;
  color?: string;
  x?: number;
  y?: number;
}

export interface ToldPushed {
  is: "pushed";
  seat: number;
  target: number;
  x: number;
  y: number;
}

/** So many cards were drawn, `anew` from a stock made again; which ones their player alone knows. */
export interface ToldRefilled {
  is: "refilled";
  seat: number;
  count: number;
  anew: boolean;
  cards?: NamedCard[];
}

export interface ToldTrumpPlayed {
  is: "trump_played";
  seat: number;
  target: number;
  trump: string;
  cost: number;
  firm: boolean;
  acts: boolean;
}

/** As `TurnBegan`, without the instant. */
export interface ToldTurnBegan {
  is: "turn_began";
  seat: number;
  round: number;
}

/** A trump as its player has it, with its author's own words. */
export interface TrumpView {
  trump: string;
  cost: number;
  description: string;
}

/** What acts on this player has one turn less. */
export interface TurnEnded {
  is: "turn_ended";
  seat: number;
}

export type ArenaTold = ToldDealt | HeroChosen | ToldTurnBegan | ToldPlayed | PlayedInMist | ToldDiscarded | ToldTrumpPlayed | ToldPowerUsed | ToldPushed | PushSkipped | Passed | ToldMistLifted | TurnEnded | ToldRefilled | Finished | Resigned | StoodIn | Returned | Ended;
