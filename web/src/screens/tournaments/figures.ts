/** Points, marks and names of a tournament, as people read them. */

import { house } from '../../house/house.svelte';
import { locale } from '../../words/catalogue.svelte';
import { words } from './words';

/** 2½ where halves are what there is, else a number with two decimals at most. */
export function points(value: number): string {
  const half = Math.abs(value % 1) === 0.5;
  if (half) return `${value < 0 ? '−' : ''}${Math.trunc(Math.abs(value)) || ''}½`;
  return value.toLocaleString(locale(), { maximumFractionDigits: 2 }).replace('-', '−');
}

const MARKS: Record<string, string> = { '=': '½', '-': '−', U: '1', H: '½', Z: '0' };

export function mark(sign: string): string {
  return MARKS[sign] ?? sign;
}

const SAID = {
  '1': 'markWon', '=': 'markDrawn', '0': 'markLost', '+': 'markForfeitWon', '-': 'markForfeitLost',
  U: 'markBye', B: 'markBye', H: 'markHalf', Z: 'markAway',
} as const;

/** What a mark means, in words. */
export function markSaid(sign: string): string {
  const key = SAID[sign as keyof typeof SAID];
  return key ? words(key) : '';
}

const FORMATS = {
  swiss: 'formatSwiss', round_robin: 'formatRoundRobin', boards: 'formatBoards', knockout: 'formatKnockout',
} as const;

export function formatName(format: string): string {
  const key = FORMATS[format as keyof typeof FORMATS];
  return key ? words(key) : format;
}

const STATUSES = {
  draft: 'statusDraft', announced: 'statusAnnounced', check_in: 'statusCheckIn', running: 'statusRunning',
  over: 'statusOver', cancelled: 'statusCancelled',
} as const;

export function statusName(status: string): string {
  const key = STATUSES[status as keyof typeof STATUSES];
  return key ? words(key) : status;
}

const POINTS = { results: 'pointsResults', three: 'pointsThree', places: 'pointsPlaces', points: 'pointsOwn', list: 'pointsList' } as const;

/** How points are made: one of ours, or a system that the game brings. */
export function pointsName(system: string, game: string, variant: string): string {
  const key = POINTS[system as keyof typeof POINTS];
  return key ? words(key) : house.word(game, variant, `scoring.${system}`);
}

const TIES = {
  buchholz: 'tieBuchholz', buchholz_cut1: 'tieBuchholzCut', direct: 'tieDirect', wins: 'tieWins', sonneborn: 'tieSonneborn',
  performance: 'tiePerformance', best: 'tieBest', solos: 'tieSolos', tops: 'tieTops', centres: 'tieCentres', firsts: 'tieFirsts',
} as const;
const TIES_SHORT = {
  buchholz: 'shortBuchholz', buchholz_cut1: 'shortBuchholzCut', direct: 'shortDirect', wins: 'shortWins', sonneborn: 'shortSonneborn',
  performance: 'shortPerformance', best: 'shortBest', solos: 'shortSolos', tops: 'shortTops', centres: 'shortCentres', firsts: 'shortFirsts',
} as const;
const TIES_SAID = {
  buchholz: 'saidBuchholz', buchholz_cut1: 'saidBuchholzCut', direct: 'saidDirect', wins: 'saidWins', sonneborn: 'saidSonneborn',
  performance: 'saidPerformance', best: 'saidBest', solos: 'saidSolos', tops: 'saidTops', centres: 'saidCentres', firsts: 'saidFirsts',
} as const;

export function tieName(tie: string): string {
  const key = TIES[tie as keyof typeof TIES];
  return key ? words(key) : tie;
}

/** For the head of a column. */
export function tieShort(tie: string): string {
  const key = TIES_SHORT[tie as keyof typeof TIES_SHORT];
  return key ? words(key) : tie;
}

/** How a tie-break is reckoned, in a sentence. */
export function tieSaid(tie: string): string {
  const key = TIES_SAID[tie as keyof typeof TIES_SAID];
  return key ? words(key) : '';
}

/** Tie-breaks whose parts are of opponents; those of the others are of rounds. */
export const OF_OPPONENTS = new Set(['buchholz', 'buchholz_cut1', 'sonneborn', 'direct', 'performance']);

/** A part of a game's points, by the game's own word, or by ours where the house counts. */
export function termName(term: string, game: string, variant: string): string {
  const key = `term.${term}`;
  const word = house.word(game, variant, key);
  return word === key ? pointsName(term, game, variant) : word;
}
