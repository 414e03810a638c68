/** Registers and movements in words. */

import type { Register } from './model';
import { words } from './words';

const NAMED = ['Move_Ahead', 'Move_Back', 'Move_90Left', 'Move_90Right', 'Move_180Right', 'Move_180Left', 'Enrichment_Standby'] as const;

function movementName(code: string): string {
  const known = NAMED.find((each) => each === code);
  return known ? words(known) : code;
}

function registerName(register: Register): string {
  return register.length ? register.map(movementName).join(', ') : words('nothing');
}

/** « Registre 2 : à gauche, avance ». */
export function saidRegister(number: number, register: Register): string {
  return words('registerSays', { n: number, what: registerName(register) });
}
