/** The number and the hull of the robot that a seat drives, for wherever its player is named. */

import type { SeatLook } from '../../shell/seats';
import { isLight, paint } from './field/board';
import { numberOf, seatsOf } from './model';
import type { RobotsView } from './types';

export function signs(view: RobotsView): Record<number, SeatLook> {
  return Object.fromEntries(
    seatsOf(view).map((seat) => {
      const { color } = view.robots[seat]!;
      return [seat, { colour: paint(color), text: String(numberOf(view, seat)), isLight: isLight(color) }];
    }),
  );
}
