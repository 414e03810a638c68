/** A time control in a few words, and in a few signs. */

import type { TimeControl } from '../../house/lobby.svelte';
import { words } from './words';

export function clockName(value: unknown): string {
  const control = (value ?? { kind: 'none' }) as TimeControl;
  if (control.kind === 'none') return words('clockNone');
  if (control.kind === 'days') return words('clockDays', { n: control.days });
  if (control.kind === 'move') return words('clockMove', { n: control.seconds });
  const [n, more] = [Math.round(control.seconds / 60), control.increment ?? 0];
  return more ? words('clockIncrement', { n, more }) : words('clockBudget', { n });
}

/** « 3+2 », as players say it. */
export function clockShort(value: unknown): string {
  const control = (value ?? { kind: 'none' }) as TimeControl;
  if (control.kind === 'none') return words('clockNoneShort');
  if (control.kind === 'days') return words('clockDaysShort', { n: control.days });
  if (control.kind === 'move') return words('clockMoveShort', { n: control.seconds });
  return `${Math.round(control.seconds / 60)}+${control.increment ?? 0}`;
}
