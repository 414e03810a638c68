/** What a game's folder says of itself in its `manifest.ts`: all that the screens may know of the game. */

import type { Component, Snippet } from 'svelte';
import type { TimeControl } from '../house/lobby.svelte';
import type { ClockFace, PendingMove, Told } from '../house/table.svelte';
import type { TableInfo } from '../house/types';
import type { OptionField, OptionValue } from '../screens/lobby/options';
import type { Screen } from '../shell/router.svelte';
import type { SeatLook } from '../shell/seats';

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
  /** In a film: the scene that is shown, and what says which scenes its step has; absent at a table. */
  film?: FilmProps;
  /** Says that the end of the game has been seen on the board: the result is shown from then on. */
  settled?: () => void;
  /** The result, once it may be seen, for a wide board: it has a place for it beside itself, where it moves nothing. */
  outcome?: Snippet | null;
}

/** A step told bit by bit: the first scene is before anything of it has happened, the last is after everything. */
export interface Scenes {
  /** What happens in each of them, in words. */
  texts: string[];
  /** The one that is shown where one comes to the step by hand; the last where nothing is said. */
  rest?: number;
  /** How long each is looked at, in milliseconds. */
  lasts?: number;
}

export interface FilmProps {
  scene: number;
  tells: (scenes: Scenes) => void;
  /** How many times as fast as usual it goes. */
  speed: number;
}

/** A line of the curves under a film, and how it looks. */
export interface CurveLook {
  name: string;
  colour: string;
  letter: string;
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

/** What the form of a result is given that an organiser enters: what scorings read is told with each change. */
export interface TallyProps {
  seats: { name: string; role: string }[];
  before: unknown;
  changed: (tally: object) => void;
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
  /** How the end of a game in the room is entered, where the points of a tournament are the game's own. */
  tally?: () => Promise<{ default: Component<any> }>;
  /** Screens of its own, each with its path. */
  routes?: Route[];
  /** Where something can be tried out without a table: positions, or boards of one's own. */
  sandbox?: { path: string; name: () => string };
  /** The rules for players, with pictures, in the language of the page. */
  rules: () => Promise<{ default: Component<any> }>;
  /** What a fact's or a refusal's sentence needs beyond its own fields, for people: squares by their names. */
  line?: (fact: Record<string, unknown>) => Record<string, string | number>;
  /** The board of a film, where it is not that of a table without play. */
  film?: () => Promise<{ default: Component<any> }>;
  /** How the lines of the curves look, by seat or role, where they are not those of the seats. */
  curves?: (view: never) => Promise<Record<number, CurveLook>>;
  /** Points by seat, where the game counts them while it goes on. */
  scores?: (view: never) => Record<number, number>;
  /** The roles of each seat, where the game gives some; their names are the game's words `role.1` and so on. */
  roles?: (view: never) => Record<number, number[]>;
  /** The colour and the sign of each seat, where the game has its own: a power's, a robot's, a side's. */
  signs?: (view: never, info: TableInfo) => Record<number, SeatLook>;
  /** False where everybody plays at any time, so that nobody is waited for. */
  hasTurns?: boolean;
  /** False where a seat that was left is only for who left it. */
  canTakeOver?: boolean;
  /** True where the board has panels of its own beside it: seats and talk then go below, and it places the result (`outcome`). */
  isWide?: boolean;
  /** True where the board says itself when the end of a game has been seen on it (`settled`). */
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
