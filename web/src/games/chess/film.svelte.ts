/** The positions of a game so far, as this seat was shown them: to look back while it goes on, and after it. */

import { get } from '../../house/api';
import { merged } from '../../house/merge';
import type { Steps } from '../../house/types';
import { frameOf, type Frame } from './model';
import type { ChessView } from './types';

const PAGE = 100;

export class Film {
  frames = $state.raw<ReadonlyMap<number, Frame>>(new Map());
  #asked: Promise<void> | undefined;

  /** What is shown now; what came after it was taken back. */
  keep(view: ChessView): void {
    const frames = new Map(this.frames);
    for (const ply of frames.keys()) if (ply > view.ply) frames.delete(ply);
    frames.set(view.ply, frameOf(view));
    this.frames = frames;
  }

  /** Have everything from the first position on; asked for once. */
  load(table: number, seat: number | null, invitation: string | null): Promise<void> {
    this.#asked ??= this.#load(table, seat, invitation).catch((error: unknown) => {
      this.#asked = undefined;
      throw error;
    });
    return this.#asked;
  }

  async #load(table: number, seat: number | null, invitation: string | null): Promise<void> {
    const past = new Map<number, Frame>();
    for (let after = 0, more = true; more; after += PAGE) {
      const found = await get<Steps>(`/tables/${table}/history`, {
        after, limit: PAGE, as: seat === null ? 'spectator' : 'seat', invitation,
      });
      let view = found.view;
      this.#take(past, view);
      for (const step of found.steps) this.#take(past, (view = merged(view, step.patch)));
      more = found.more;
    }
    // What has come in the meantime is newer than what was fetched.
    this.frames = new Map([...past, ...this.frames]);
  }

  #take(past: Map<number, Frame>, view: unknown): void {
    const shown = view as Partial<ChessView> | null;
    if (shown?.ply === undefined || !shown.boards) return;
    for (const ply of past.keys()) if (ply > shown.ply) past.delete(ply);
    past.set(shown.ply, frameOf(shown as ChessView));
  }
}
