/** How phases are called. */

import type { DiplomacyView } from '../types';
import { words } from './words';

const PHASES = 5;

export function yearOf(view: DiplomacyView, advancement: number): number {
  return view.year - Math.floor(view.advancement / PHASES) + Math.floor(advancement / PHASES);
}

type Place = 0 | 1 | 2 | 3 | 4;

const place = (advancement: number) => (((advancement % PHASES) + PHASES) % PHASES) as Place;

export const phaseName = (advancement: number) => words(`phase${place(advancement)}`);
export const phaseLetter = (advancement: number) => words(`short${place(advancement)}`);
export const phaseWhat = (advancement: number) => words(`what${place(advancement)}`);

/** « Printemps 1901 »; a year is no quantity, so its digits stand together. */
export function seasonName(advancement: number, year: number): string {
  return words('named', { phase: phaseName(advancement), year: String(year) });
}
