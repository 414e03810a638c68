/** A tournament as the page holds it: asked for as a whole, and anew whenever something in it has changed. */

import { get, OutOfReach } from '../../house/api';
import { live } from '../../house/live.svelte';
import { house } from '../../house/house.svelte';
import { session } from '../../house/session.svelte';
import type { BoardInfo, EntryInfo, EntryList, Plan, RoundInfo, RoundList, Standings, StandingInfo, TournamentCard } from '../../house/types';
import { sentence } from '../../shell/toasts.svelte';

/** How a board ended: by seat. */
export interface BoardEnd {
  ranks?: number[];
  scores?: number[];
  marks?: string[];
  tally?: unknown;
  by?: number;
}

export class Tournament {
  card = $state.raw<TournamentCard | null>(null);
  entries = $state.raw<EntryInfo[]>([]);
  rounds = $state.raw<RoundInfo[]>([]);
  lines = $state.raw<StandingInfo[]>([]);
  trouble = $state<string | null>(null);
  /** When the house last told, by our clock. */
  asOf = $state(Date.now());
  #people = $state.raw<Record<string, string>>({});
  #asked = 0;

  constructor(readonly id: number) {}

  get path(): string {
    return `/tournaments/${this.id}`;
  }

  async load(): Promise<void> {
    const question = ++this.#asked;
    try {
      const [card, { entries }, { rounds, people }, { lines }] = await Promise.all([
        get<TournamentCard>(this.path),
        get<EntryList>(`${this.path}/entries`),
        get<RoundList>(`${this.path}/rounds`),
        get<Standings>(`${this.path}/standings`),
      ]);
      if (question !== this.#asked) return;
      this.card = card;
      this.entries = entries;
      this.rounds = rounds;
      this.lines = lines;
      this.#people = people;
      this.trouble = null;
      this.asOf = Date.now();
    } catch (error) {
      // What was shown stays while the house cannot be reached: the page says so, and asks again.
      if (question === this.#asked && !(error instanceof OutOfReach && this.card)) this.trouble = sentence(error);
    }
  }

  /**
   * Ask at once, and again whenever the house says that something has changed, until the function that is given back is called. After
   * each time that the house was out of reach it says so anew.
   */
  follow(): () => void {
    return live.listen({
      topic: () => ({ topic: 'tournament', tournament: this.id }),
      hear: (message) => {
        if (message.type === 'tournament' && message.tournament === this.id) void this.load();
      },
      refused: () => void this.load(), // the answer says why
    });
  }

  get plan(): Plan {
    return this.card!.plan as Plan;
  }

  /** Two meet at a time. */
  get isDuel(): boolean {
    return this.plan.format !== 'boards';
  }

  get own(): EntryInfo | undefined {
    return this.entries.find((each) => each.account === session.me?.account);
  }

  get ownLine(): StandingInfo | undefined {
    return this.lines.find((each) => each.account === session.me?.account);
  }

  /** The board that oneself plays at in the newest round. */
  get ownBoard(): BoardInfo | undefined {
    return this.rounds.at(-1)?.boards.find((board) => board.seats.includes(session.me?.account ?? 0));
  }

  /** How an entrant is called: a robot by its game's word for it. */
  name(account: number): string {
    // A robot that fills a board has entered nothing.
    if (account === 0) return house.word(this.card!.game, this.card!.variant, `robot.${this.plan.fill}`);
    const entry = this.entries.find((each) => each.account === account);
    if (entry?.robot) {
      const key = `robot.${entry.robot}`;
      const word = house.word(this.card!.game, this.card!.variant, key);
      return word === key ? entry.pseudo : word;
    }
    return entry?.pseudo ?? this.#people[account] ?? `№ ${account}`;
  }

  isRobot(account: number): boolean {
    return account === 0 || this.entries.some((each) => each.account === account && each.robot !== '');
  }

  /** What a seat plays, by the game's own word: a side or a role; empty where seats are alike. */
  plays(seat: number): string {
    const { game, variant } = this.card!;
    const side = this.isDuel ? house.variant(game, variant)?.sides[seat - 1] : undefined;
    const key = side ? `side.${side}` : `role.${seat}`;
    const word = house.word(game, variant, key);
    return word === key ? '' : word;
  }
}

let last: Tournament | null = null;

/** The one that was shown last is shown again at once. */
export function opened(id: number): Tournament {
  if (last?.id !== id) last = new Tournament(id);
  return last;
}
