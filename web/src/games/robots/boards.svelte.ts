/** The boards that the house ships: asked for once, and called by their names. */

import { get } from '../../house/api';
import { language } from '../../words/catalogue.svelte';
import type { BoardDocument } from './field/board';

type Bilingual = { fr: string; en: string };

interface ShippedBoard {
  name: string;
  title: Bilingual;
  about: Bilingual;
  document: BoardDocument;
  figures: { way: number; lasers: number; [figure: string]: unknown };
}

class Boards {
  all = $state.raw<ShippedBoard[]>([]);
  #asked: Promise<void> | undefined;

  /** Ask once; whoever asks again waits for the same answer. */
  load(): Promise<void> {
    this.#asked ??= get<{ boards: ShippedBoard[] }>('/robots/boards').then(
      (found) => {
        this.all = found.boards;
      },
      () => {
        this.#asked = undefined;
      },
    );
    return this.#asked;
  }

  find(name: string): ShippedBoard | undefined {
    return this.all.find((each) => each.name === name);
  }

  /** What a board is called; empty for one that is not the house's. */
  of(name: string | null): string {
    return name === null ? '' : (this.find(name)?.title[language()] ?? name);
  }
}

export const boardNames = new Boards();
