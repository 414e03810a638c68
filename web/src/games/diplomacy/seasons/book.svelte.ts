/** The seasons of a table as the house keeps them: the list anew whenever a phase is resolved, each of them once. */

import { get } from '../../../house/api';
import type { CentreYear, SeasonInfo, SeasonTold, Seasons } from '../../../house/types';
import { language } from '../../../words/catalogue.svelte';
import type { PlayedView } from '../types';

/** One season with all that is told of it. */
export type Season = PlayedView & SeasonInfo & Pick<SeasonTold, 'explanations' | 'report' | 'lines'> & { after: PlayedView['before'] };

export class Book {
  seasons = $state.raw<SeasonInfo[]>([]);
  centres = $state.raw<CentreYear[]>([]);
  isReady = $state(false);
  trouble = $state.raw<unknown>(null);
  #asked = 0;
  #told = new Map<string, Promise<Season>>();

  constructor(
    readonly table: number,
    readonly invitation: string | null,
  ) {}

  async load(): Promise<void> {
    const mine = ++this.#asked;
    try {
      const found = await get<Seasons>(`/tables/${this.table}/seasons`, { invitation: this.invitation });
      if (mine !== this.#asked) return;
      this.seasons = found.seasons;
      this.centres = found.centres;
      this.trouble = null;
    } catch (error) {
      if (mine === this.#asked) this.trouble = error;
    }
    this.isReady = true;
  }

  season(number: number): Promise<Season> {
    const key = `${language()} ${number}`;
    const known = this.#told.get(key);
    if (known) return known;
    const asked = this.#fetch(number);
    this.#told.set(key, asked);
    // What could not be fetched is asked for again the next time.
    asked.catch(() => this.#told.delete(key));
    return asked;
  }

  async #fetch(number: number): Promise<Season> {
    const told = await get<SeasonTold>(`/tables/${this.table}/seasons/${number}`, { invitation: this.invitation });
    const { info, played, after, explanations, report, lines } = told;
    return { ...info, ...(played as PlayedView), after: after as Season['after'], explanations, report, lines };
  }
}
