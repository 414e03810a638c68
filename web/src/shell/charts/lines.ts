/** Where the lines of a chart go, and what tells them apart. */

export interface Counted {
  counts: number[];
}

/** Heights for signs that are wanted at some heights and must be so far apart; the order is kept. */
export function spread(wanted: number[], apart: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((one, other) => wanted[one]! - wanted[other]! || one - other);
  const found = [...wanted];
  let least = low;
  for (const i of order) {
    found[i] = Math.max(wanted[i]!, least);
    least = found[i]! + apart;
  }
  let most = high;
  for (const i of [...order].reverse()) {
    found[i] = Math.min(found[i]!, most);
    most = found[i]! - apart;
  }
  return found;
}

/** How far each of equal counts is moved up or down, in the order of the lines, so that none hides another. */
export function fanned(series: Counted[], place: number): number[] {
  return series.map(({ counts }, k) => {
    const equal = series.flatMap((other, i) => (other.counts[place] === counts[place] ? [i] : []));
    return equal.indexOf(k) - (equal.length - 1) / 2;
  });
}

/** Outlines of marks about 0,0 that tell lines apart without colour; lines beyond them begin again. */
export const MARKS = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'M-4-4h8v8h-8z',
  'M0-5 5 4h-10z',
  'M0-5.5 5 0 0 5.5-5 0z',
  'M0 5-5-4h10z',
  'M-5-2h3v-3h4v3h3v4h-3v3h-4v-3h-3z',
  'M0-5.5 1.7-1.8 5.5-1.6 2.6 1 3.5 5 0 2.8-3.5 5-2.6 1-5.5-1.6-1.7-1.8z',
];

export const DASHES = ['none', '9 3', '3 3', '9 3 2 3', '14 4', '5 2 1 2', '2 4'];
