/** What a game's folder says of itself in its `manifest.ts`: all that the screens may know of the game. */

import type { Component } from 'svelte';
import type { TimeControl } from '../house/lobby.svelte';
import type { ClockFace, PendingMove, Told } from '../house/table.svelte';
import type { TableInfo } from '../house/types';
import type { OptionField, OptionValue } from '../screens/lobby/options';
import type { Screen } from '../shell/router.svelte';

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

/** A screen of the page: its name, its path, and the file it is loaded from when it is first asked for. */
export interface Route {
  name: string;
  pattern: string;
  load: () => Promise<{ default: Screen }>;
}

export interface GamePage {
  /** The picture of the game, drawn by us. */
  picture: () => Promise<{ default: Component<any> }>;
  /** A square scene of 152 by 152 that lies on the round table of the first page, in place of the picture. */
  tabletop?: () => Promise<{ default: Component<any> }>;
  /** What the settings show of its own colours, so that a palette can be judged. */
  colours?: () => Promise<{ default: Component<any> }>;
  board: () => Promise<{ default: Component<any> }>;
  /** Screens of its own, each with its path. */
  routes?: Route[];
  /** Where something can be tried out without a table: positions, or boards of one's own. */
  sandbox?: { path: string; name: () => string };
  /** The rules for players, with pictures, in the language of the page. */
  rules: () => Promise<{ default: Component<any> }>;
  /** What a fact's or a refusal's sentence needs beyond its own fields, for people: squares by their names. */
  line?: (fact: Record<string, unknown>) => Record<string, string | number>;
  /** Whether a replay stops here, where not every step is worth one: when a phase is resolved, say. */
  isStop?: (told: Told) => boolean;
  /** How long a replay stays with a step at its usual speed, where that is more than a second: it has its own film. */
  lasts?: (told: Told) => number;
  /** Points by seat, where the game counts them while it goes on. */
  scores?: (view: never) => Record<number, number>;
  /** The roles of each seat, where the game gives some; their names are the game's words `role.1` and so on. */
  roles?: (view: never) => Record<number, number[]>;
  /** What the first seat is, where that says more than its number: White. */
  firstSeat?: () => string;
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
