// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.

/** A tile that is not neutral, spelled as in the document. */
export interface ActiveTile {
  tileType: string;
  tileLocX: number;
  tileLocY: number;
}

/** A round begins: these seats are asked for a cartouche, none where all robots are off the board. */
export interface Asked {
  is: "asked";
  round: number;
  seats: number[];
  until?: number | null;
}

/** Where and how a robot stands. */
export interface Bearing {
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
  energy: number;
  laws: number;
  status: "finished" | "frozen" | "racing";
}

/** A board as the document's frame InitDeclareBoard and our files have it. */
export interface BoardDocument {
  boardIdx: number;
  boardWidth: number;
  boardHeight: number;
  boardActiveTiles: ActiveTile[];
}

/** A robot stood on an action tile: another board lies under the robots now. */
export interface BoardSwapped {
  is: "board_swapped";
  old: number;
  new: number;
}

export interface CameBack {
  is: "came_back";
  seat: number;
}

/** Time during which no node ran is given back. */
export interface ClockMoved {
  is: "clock_moved";
  milliseconds: number;
}

export interface Ended {
  is: "ended";
  reason: "left" | "quest" | "rounds";
  ranks: Record<string, number>;
}

/** A robot has a name and a colour. */
export interface Featured {
  is: "featured";
  seat: number;
  name: string;
  color: string;
}

/** A player is gone for good; his robot stands still unless somebody takes it over. */
export interface Left {
  is: "left";
  seat: number;
}

/** A robot between two registers. Frozen it is listed on its starting tile, finished on its last. */
export interface Mecha {
  seat: number;
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
  energy: number;
  laws: number;
  status: "finished" | "frozen" | "racing";
  start: [number, number, "East" | "North" | "South" | "West"];
  frozen_in: number;
  rank: number;
  arrived?: [number, number] | null;
}

/** What a player alone knows. */
export interface OwnView {
  seat: number;
  capacity?: number | null;
  cartouche?: string[][] | null;
  available: number[];
  proposed?: Spot | null;
  wish?: Spot | null;
}

/** These robots stand on their starting tiles. */
export interface Placed {
  is: "placed";
  places: Record<string, Spot>;
}

/** A register of the last round, for whoever comes later. */
export interface PlayedRegister {
  round: number;
  register: number;
  steps: Step[];
}

/** One register of everybody's cartouche, and what the board did then, step by step. */
export interface RegisterPlayed {
  is: "register_played";
  round: number;
  register: number;
  steps: Step[];
}

/** One robot, as everybody sees it. */
export interface RobotView {
  number: string;
  name: string;
  color: string;
  x?: number | null;
  y?: number | null;
  azimuth?: "East" | "North" | "South" | "West" | null;
  energy?: number | null;
  laws: number;
  start?: Spot | null;
  status: "finished" | "frozen" | "racing" | "left" | "waiting";
  ready: boolean;
  away: boolean;
  rank?: number | null;
}

/** A race as a seat may know it. */
export interface RobotsView {
  phase: "over" | "placing" | "programming";
  round: number;
  rounds: number;
  until?: number | null;
  boards: BoardDocument[];
  names: (string | null)[];
  board: number;
  laws: [number, number][];
  robots: Record<string, RobotView>;
  order: number[][];
  you?: OwnView | null;
  before: Record<string, Bearing>;
  played: PlayedRegister[];
  swap?: [number, number] | null;
  ended?: "left" | "quest" | "rounds" | null;
  ranks?: Record<string, number> | null;
}

/** How all the robots stand after a round. */
export interface RoundEnded {
  is: "round_ended";
  round: number;
  robots: Mecha[];
}

/** Where a robot stands or would stand, and which way it looks. */
export interface Spot {
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
}

/** One thing that happens to one robot, and where and how that robot is after it. */
export interface Step {
  stage: "consequences" | "conveyors" | "end" | "lasers" | "pushers" | "robots" | "turntables";
  seat: number;
  code: string;
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
  energy: number;
  group: number;
  beam?: [number, number] | null;
}

/** Somebody else, or a robot of the house, goes on in this seat. */
export interface TakenOver {
  is: "taken_over";
  seat: number;
}

/** The time is up, and nothing has come from these seats. */
export interface TimeUp {
  is: "time_up";
  seats: number[];
}

/** As `Began`, without the instant. */
export interface ToldBegan {
  is: "began";
  seats: number[];
  boards: BoardDocument[];
  names: (string | null)[];
  starts: number[];
  proposed: Record<string, Spot>;
  rounds: number;
  localization: number;
  cartouche: number;
}

/** As `Clashed`, without the instant. */
export interface ToldClashed {
  is: "clashed";
  seats: number[];
  proposed: Record<string, Spot>;
}

/** A cartouche is in; what it says is told to its owner and the master. */
export interface ToldProgrammed {
  is: "programmed";
  seat: number;
  cartouche?: string[][];
}

/** A wish is in; the tile is told to its owner and the master. */
export interface ToldWished {
  is: "wished";
  seat: number;
  x?: number;
  y?: number;
  azimuth?: "East" | "North" | "South" | "West";
}

export interface WentAway {
  is: "went_away";
  seat: number;
}

export type RobotsTold = ToldBegan | Featured | ToldWished | TimeUp | Placed | ToldClashed | Asked | ToldProgrammed | RegisterPlayed | BoardSwapped | RoundEnded | WentAway | CameBack | Left | TakenOver | ClockMoved | Ended;
