/** What the house shows of a race of robots: the view, what may be done, and the steps of a round. */

import type { BoardDocument } from './field/board';
import type { Azimuth } from './field/tiles';

export type Stage = 'robots' | 'conveyors' | 'turntables' | 'pushers' | 'lasers' | 'consequences' | 'end';
export type Status = 'waiting' | 'racing' | 'frozen' | 'finished' | 'left';

/** A register of a cartouche: a rotation and then a displacement, or Standby, or nothing. */
export type Register = string[];

export interface Place {
  x: number;
  y: number;
  azimuth: Azimuth;
}

/** How a robot stands. */
export interface Bearing extends Place {
  energy: number;
  laws: number;
  status: Status;
}

export interface Robot extends Bearing {
  name: string;
  /** `#AARRGGBB`. */
  color: string;
  /** « 03 »: its place in the order of play. */
  number: string;
  start: Place | null;
  rank: number | null;
  ready: boolean;
  /** Its player is disconnected. */
  away: boolean;
}

/** What happened to one robot; those of one group happen together. */
export interface Step {
  stage: Stage;
  seat: number;
  code: string;
  x: number;
  y: number;
  azimuth: Azimuth;
  energy: number;
  /** The tile of the laser that hit. */
  beam?: [number, number] | null;
  group: number;
}

export interface PlayedRegister {
  round: number;
  register: number;
  steps: Step[];
}

export interface RobotsView {
  phase: 'placing' | 'programming' | 'over';
  round: number;
  rounds: number;
  until: number | null;
  boards: BoardDocument[];
  /** Names of the boards that the house ships; null for one that somebody made. */
  names: (string | null)[];
  board: number;
  laws: [number, number][];
  robots: Record<string, Robot>;
  /** For each register of the round that is asked for, the seats in the order in which they move. */
  order: number[][];
  you: {
    seat: number;
    capacity: number | null;
    cartouche: Register[] | null;
    available: number[];
    proposed: Place | null;
    wish: Place | null;
  } | null;
  /** How the robots stood before the last round. */
  before: Record<string, Bearing>;
  /** The last round that was played, register by register; before it the one in which all froze, if that brought it about. */
  played: PlayedRegister[];
  swap: [number, number] | null;
  ended: string | null;
  ranks: Record<string, number> | null;
}

export interface RobotsLegal {
  place: { tiles: number[] } | null;
  program: { capacity: number } | null;
  feature: boolean;
}

export const MOST_ENERGY = 7;
export const LAWS = 3;
export const REGISTERS = 5;

/** The number that a robot carries on the board. */
export function numberOf(view: RobotsView, seat: number): number {
  return Number(view.robots[seat]?.number ?? seat);
}

export function seatsOf(view: RobotsView): number[] {
  return Object.keys(view.robots).map(Number).sort((one, other) => one - other);
}

/** Whether a robot stands on the board: also before the race, once it has a place. */
export function isOnBoard(robot: Pick<Bearing, 'status' | 'x' | 'y'>): boolean {
  return robot.status !== 'frozen' && robot.status !== 'finished' && Boolean(robot.x && robot.y);
}
