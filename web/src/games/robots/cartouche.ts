/** Composing a cartouche: what a movement does to the five registers, without anybody's screen. */

import { REGISTERS, type Register } from './model';

export const STANDBY = 'Enrichment_Standby';

export interface Draft {
  registers: Register[];
  /** The register that the next movement goes to. */
  at: number;
  /** One has pointed at the register: a movement replaces what it has. */
  isPicked: boolean;
}

export const EMPTY: Draft = { registers: Array<Register>(REGISTERS).fill([]), at: 0, isPicked: false };

const isRotation = (code: string) => code.startsWith('Move_90') || code.startsWith('Move_180');
const isDisplacement = (code: string) => code === 'Move_Ahead' || code === 'Move_Back';
const isFree = (register: Register) => register.length === 0;

/** How many registers count against the robot's capacity: those with a rotation or a displacement. */
export function load(registers: Register[]): number {
  return registers.filter((each) => each.some((code) => isRotation(code) || isDisplacement(code))).length;
}

export function isBlank(registers: Register[]): boolean {
  return registers.every(isFree);
}

/** The registers as they are sent: without the empty ones at the end. */
export function trimmed(registers: Register[]): Register[] {
  const last = registers.findLastIndex((each) => each.length > 0);
  return registers.slice(0, last + 1);
}

/** A register with a movement put in: a rotation stands before a displacement, Standby alone. */
function withMovement(register: Register, code: string): Register {
  if (code === STANDBY) return [STANDBY];
  const rotation = isRotation(code) ? code : register.find(isRotation);
  const displacement = isDisplacement(code) ? code : register.find(isDisplacement);
  return [rotation, displacement].filter((each) => each !== undefined);
}

/** Whether a movement goes on in this register when one composes from left to right. */
function goesOn(register: Register, code: string): boolean {
  if (isFree(register)) return true;
  return isDisplacement(code) && register.every(isRotation);
}

/** The draft with a movement more; null where there is no register left for it. */
export function added(draft: Draft, code: string): Draft | null {
  if (draft.isPicked || goesOn(draft.registers[draft.at]!, code)) return placed(draft, draft.at, code);
  for (let next = draft.at + 1; next < REGISTERS; next++) {
    if (isFree(draft.registers[next]!)) return placed(draft, next, code);
  }
  return null;
}

/** The draft with a movement put into a given register, whatever is there. */
export function placed(draft: Draft, at: number, code: string): Draft {
  const registers = draft.registers.map((each, i) => (i === at ? withMovement(each, code) : each));
  return { registers, at, isPicked: false };
}

export function picked(draft: Draft, at: number): Draft {
  return { ...draft, at, isPicked: true };
}

export function emptied(draft: Draft, at: number): Draft {
  return { registers: draft.registers.map((each, i) => (i === at ? [] : each)), at, isPicked: true };
}

/** Two registers change places. */
export function swapped(draft: Draft, from: number, to: number): Draft {
  const registers = [...draft.registers];
  [registers[from], registers[to]] = [registers[to]!, registers[from]!];
  return { registers, at: to, isPicked: true };
}

/** An empty register is kept empty: one goes on with the one after it. */
export function passed(draft: Draft): Draft {
  return { ...draft, at: Math.min(REGISTERS - 1, draft.at + 1), isPicked: true };
}
