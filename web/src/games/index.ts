/** The games that this page can show. A game is one entry here and one folder beside it. */

import type { Component } from 'svelte';
import type { TimeControl } from '../house/lobby.svelte';
import type { ClockFace, PendingMove, Told } from '../house/table.svelte';
import type { TableInfo } from '../house/types';
import type { OptionField, OptionValue } from '../screens/lobby/options';
import { line as arenaLine } from './arena/names';
import { line as chessLine } from './chess/notation';
import { squareName } from './mines/names';
import { roundLasts } from './robots/lasting';

/** A table ready to choose, by a name that people know. */
export interface Preset {
  name: () => string;
  text: () => string;
  /** Absent where it goes with every variant. */
  variant?: string;
  options: Record<string, number | boolean | string>;
  /** How long one may think, where that belongs to it. */
  time?: TimeControl;
  /** How many may sit, where that belongs to it and no option says it. */
  seats?: number;
  /** Who may come, where that belongs to it. */
  access?: 'open' | 'private' | 'invited';
}

/** What a board is given, at a table as in a replay. It holds no rules: the view and what is legal say all. */
export interface BoardProps {
  /** The view of the seat, as the game's `showing` makes it. */
  view: never;
  /** What may be done, as the game describes it; null for who only looks on. */
  legal: never;
  seat: number | null;
  info: TableInfo;
  /** Moves on their way to the house, shown as such. */
  pending: PendingMove[];
  /** Play a move; null where nothing can be played (watching, replaying, over). */
  play: ((action: Record<string, unknown>) => Promise<boolean>) | null;
  /** What happened together last, to animate and to announce. */
  news: Told[];
  /** What each seat has left on the table's clocks; null where it has none. */
  clocks?: Record<string, ClockFace> | null;
  /** The instant that a replay shows; null or absent where it is now. */
  at?: number | null;
  /** How many times as fast as usual a replay goes. */
  pace?: number;
}

/** What the form of a game's options is given. */
export interface OptionsProps {
  fields: OptionField[];
  options: Record<string, OptionValue>;
  choose: (name: string, value: OptionValue) => void;
  /** What is wrong with an option, in words. */
  wrong: Record<string, string | null>;
  isMastered: boolean;
  /** Once the game runs, some options stay as they are. */
  isRunning: boolean;
}

/** What stands in the board's place before the game is given. */
export interface BeforeProps {
  info: TableInfo;
}

export interface GamePage {
  /** The picture of the game, drawn by us. */
  picture: () => Promise<{ default: Component<any> }>;
  board: () => Promise<{ default: Component<any> }>;
  /** Where something can be tried out without a table: positions, or boards of one's own. */
  sandbox?: { path: string; kind: 'sandbox' | 'workshop' | 'arenas' };
  /** The rules for players, with pictures, in the language of the page. */
  rules: () => Promise<{ default: Component<any> }>;
  /** What a fact's or a refusal's sentence needs beyond its own fields, for people: squares by their names. */
  line?: (fact: Record<string, unknown>) => Record<string, string | number>;
  /** Whether a replay stops here, where not every step is worth one: of Diplomacy, when a phase is resolved. */
  isStop?: (told: Told) => boolean;
  /** How long a replay stays with a step at its usual speed, where that is more than a second: it has its own film. */
  lasts?: (told: Told) => number;
  /** Points by seat, where the game counts them while it goes on. */
  scores?: (view: never) => Record<number, number>;
  /** The roles of each seat, where the game gives some; their names are the game's words `role.1` and so on. */
  roles?: (view: never) => Record<number, number[]>;
  /** False where everybody plays at any time, so that nobody is waited for. */
  hasTurns?: boolean;
  /** False where a seat that was left is only for who left it. */
  canTakeOver?: boolean;
  /** True where the board has panels of its own beside it: seats and talk then go below. */
  isWide?: boolean;
  /** True where the end is still to be seen on the board when the game is over: the result stands below it. */
  endsOnBoard?: boolean;
  /** Facts that the board itself tells, step by step: lists of what happened leave them out. */
  untold?: string[];
  /** The robot to play against at once, and the table to do it at. */
  atOnce: { variant: string; options: Record<string, unknown>; robots: string[]; seats?: number; time?: TimeControl };
  /** The options with which one waits for another person, where they are not the same. */
  together?: Record<string, unknown>;
  /** How long one thinks where the host says nothing else. */
  usualTime?: TimeControl;
  /** True where the board itself shows the clocks. */
  showsClocks?: boolean;
  /** True where the board sounds every move: one's turn then needs no sound beside it. */
  soundsMoves?: boolean;
  /** Where a game may have a master who does not play: the options that are usual then. */
  mastered?: { options: Record<string, number | boolean | string> };
  /** The form of the options, where the game lays it out itself; it is given `OptionsProps`. */
  options?: () => Promise<{ default: Component<any> }>;
  /** What stands in the board's place before the game begins; it is given `BeforeProps`. */
  before?: () => Promise<{ default: Component<any> }>;
  /** Where the options say how long one may think, in place of the table's clocks. */
  hasOwnPace?: boolean;
  /** False where people speak by the game's own means alone, and the table has no chat. */
  hasChat?: boolean;
  /** Tables ready to choose when one opens one's own. */
  presets?: () => Promise<{ presets: Preset[] }>;
}

const pages: Record<string, GamePage> = {
  mines: {
    picture: () => import('./mines/Picture.svelte'),
    board: () => import('./mines/Board.svelte'),
    rules: () => import('./mines/Rules.svelte'),
    atOnce: { variant: 'classic', options: {}, robots: ['novice'] },
    presets: () => import('./mines/presets'),
    line: (fact): Record<string, string> =>
      'x' in fact && 'y' in fact ? { square: squareName(Number(fact.x), Number(fact.y)) } : {},
    scores: (view: { players: Record<string, { points: number }> }) =>
      Object.fromEntries(Object.entries(view.players).map(([seat, player]) => [Number(seat), player.points])),
    hasTurns: false,
    canTakeOver: false,
  },
  chess: {
    picture: () => import('./chess/Picture.svelte'),
    board: () => import('./chess/Board.svelte'),
    rules: () => import('./chess/Rules.svelte'),
    presets: () => import('./chess/presets'),
    // A robot is patient: who is called away finds the game as it was.
    atOnce: { variant: 'classic', options: { sides: 'random', pace: 'days' }, robots: ['beginner'] },
    // Whoever waits, at whatever door, waits in one queue.
    together: {},
    usualTime: { kind: 'budget', seconds: 2700, increment: 0 },
    line: chessLine,
    canTakeOver: false,
    showsClocks: true,
    soundsMoves: true,
    isStop: (told) => told.facts.some((fact) => ['began', 'moved', 'taken_back', 'ended'].includes(fact.is)),
  },
  diplomacy: {
    picture: () => import('./diplomacy/Picture.svelte'),
    board: () => import('./diplomacy/Board.svelte'),
    rules: () => import('./diplomacy/Rules.svelte'),
    sandbox: { path: '/sandbox', kind: 'sandbox' },
    atOnce: { variant: 'standard', options: {}, robots: Array<string>(6).fill('strategist') },
    presets: () => import('./diplomacy/presets'),
    options: () => import('./diplomacy/Options.svelte'),
    before: () => import('./diplomacy/master/Opening.svelte'),
    hasChat: false,
    hasOwnPace: true,
    // As the French clubs play by correspondence.
    mastered: {
      options: {
        choices: 'AFJD',
        sharing: 'none',
        calendar: true,
        weekends: false,
        disorder_moves: false,
        disorder_builds: false,
      },
    },
    isWide: true,
    isStop: (told) => told.facts.some((fact) => ['adjudicated', 'position_set', 'undone', 'ended'].includes(fact.is)),
    scores: (view: { roles: Record<string, { seat: number; centres: number }> }) => {
      const centres: Record<number, number> = {};
      for (const { seat, centres: owned } of Object.values(view.roles)) centres[seat] = (centres[seat] ?? 0) + owned;
      return centres;
    },
    roles: (view: { roles: Record<string, { seat: number }> }) => {
      const roles: Record<number, number[]> = {};
      for (const [role, { seat }] of Object.entries(view.roles)) (roles[seat] ??= []).push(Number(role));
      return roles;
    },
  },
  robots: {
    picture: () => import('./robots/Picture.svelte'),
    board: () => import('./robots/Board.svelte'),
    rules: () => import('./robots/Rules.svelte'),
    // A robot is patient: who is new here reads and tries as long as he likes.
    atOnce: { variant: 'race', options: { cartouche_seconds: 0, localization_seconds: 0 }, robots: ['apprentice'] },
    // Whoever waits, at whatever door, waits in one queue.
    together: {},
    sandbox: { path: '/robots/editor', kind: 'workshop' },
    presets: () => import('./robots/presets'),
    options: () => import('./robots/Options.svelte'),
    before: () => import('./robots/Before.svelte'),
    hasOwnPace: true,
    isWide: true,
    endsOnBoard: true,
    untold: ['register_played'],
    isStop: (told) => told.facts.some((fact) => ['began', 'placed', 'register_played', 'ended'].includes(fact.is)),
    lasts: roundLasts,
    scores: (view: { robots: Record<string, { laws: number }> }) =>
      Object.fromEntries(Object.entries(view.robots).map(([seat, robot]) => [Number(seat), robot.laws])),
  },
  arena: {
    picture: () => import('./arena/Picture.svelte'),
    board: () => import('./arena/Board.svelte'),
    rules: () => import('./arena/Rules.svelte'),
    sandbox: { path: '/arena/editor', kind: 'arenas' },
    presets: () => import('./arena/presets'),
    options: () => import('./arena/Options.svelte'),
    // A robot is patient: who is new here reads and tries as long as he likes.
    atOnce: { variant: 'standard', options: {}, robots: Array<string>(3).fill('greedy'), seats: 4, time: { kind: 'none' } },
    // Whoever waits, at whatever door, waits in one queue.
    together: {},
    usualTime: { kind: 'move', seconds: 90 },
    line: arenaLine,
    isWide: true,
    endsOnBoard: true,
    showsClocks: true,
    // Every turn ends so: the next one's beginning says it.
    untold: ['turn_ended', 'refilled'],
  },
};

export function isPlayableHere(game: string): boolean {
  return game in pages;
}

export function gamePage(game: string): GamePage | undefined {
  return pages[game];
}
