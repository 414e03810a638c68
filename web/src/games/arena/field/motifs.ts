/** What tells colours apart for who does not see them: a motif each, cut into the stone. */

/** Each in a tile of 30 by 30. */
const MOTIFS: string[] = [
  'M7.5 4.5a3 3 0 1 0 .01 0ZM22.5 19.5a3 3 0 1 0 .01 0Z',
  'M0 8q7.5-7 15 0t15 0M0 23q7.5-7 15 0t15 0',
  'M0 15L15 0M15 30L30 15',
  'M0 1H30M0 16H30M8 1V16M23 16V31',
  'M15 8a7 7 0 1 0 .01 0Z',
  'M15 8V22M8 15H22',
  'M3 13L15 5L27 13M3 28L15 20L27 28',
  'M7.5 0V30M22.5 0V30',
  'M15 5L25 15L15 25L5 15Z',
  'M0 7.5H30M0 22.5H30',
  'M15 6L25 23H5Z',
  'M0 0L30 30M30 0L0 30',
];

/** The motif of a colour, by its place among the colours of the game. */
export function motif(place: number): string {
  return MOTIFS[place % MOTIFS.length]!;
}

export const TILE = 30;
