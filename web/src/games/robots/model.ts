/** A race of robots as the page reads it: what may be done, and how robots are counted. */

import type { RobotsView, RobotView, Spot, Step } from './types';

export type Stage = Step['stage'];
export type Status = RobotView['status'];

/** A register of a cartouche: a rotation and then a displacement, or Standby, or nothing. */
export type Register = string[];

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

/** A robot by its name; with its number where two have the same. */
export function nameIn(view: RobotsView, seat: number): string {
  const name = view.robots[seat]?.name ?? '';
  const isShared = seatsOf(view).some((other) => other !== seat && view.robots[other]!.name === name);
  return isShared ? `${name} (${numberOf(view, seat)})` : name;
}

/** Whether a robot stands on the board: also before the race, once it has a place. */
export function isOnBoard<R extends Pick<RobotView, 'status' | 'x' | 'y'>>(robot: R): robot is R & Spot {
  return robot.status !== 'frozen' && robot.status !== 'finished' && Boolean(robot.x && robot.y);
}
