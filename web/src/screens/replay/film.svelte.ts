/** A film on the screen: at which stop it is, which scene of it is shown, played or gone through by hand. */

import { get } from '../../house/api';
import type { Film as Outline, FilmStep } from '../../house/types';
import type { Scenes } from '../../games/page';
import { sentence } from '../../shell/toasts.svelte';
import { Reel, type Frame } from './reel';

export const SPEEDS = [0.5, 1, 2, 4, 8];
const KEY = 'tablee-film-speed';
/** A step that is not told in scenes stays so long. */
const LASTS = 1_000;
const ONE: Scenes = { texts: [''] };

export type Viewpoint = 'seat' | 'spectator';

// Why: docs/decisions.md#one-film
export class Film {
  /** Where the film stops; the first is before anything happened, where that can be shown. */
  stops = $state.raw<FilmStep[]>([]);
  /** At which of them one wants to be; the frame follows when it has come. */
  place = $state(0);
  frame = $state.raw<Frame | null>(null);
  scene = $state(0);
  isPlaying = $state(false);
  isReady = $state(false);
  trouble = $state('');
  #speed = $state(remembered());
  #scenes = $state.raw<Scenes>(ONE);
  /** Where in the scenes of the next frame to begin. */
  #enters: 'rest' | 'first' | 'last' = 'rest';
  #reel: Reel;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: number,
    readonly invitation: string | null,
    readonly viewpoint: Viewpoint,
  ) {
    this.#reel = new Reel(table, invitation, viewpoint);
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(wanted: number) {
    this.#speed = wanted;
    localStorage.setItem(KEY, String(wanted));
    this.#schedule();
  }

  get last(): number {
    return this.stops.length - 1;
  }

  get scenes(): number {
    return this.#scenes.texts.length;
  }

  /** The scene of this step at which one is where one comes to it by hand. */
  get rest(): number {
    return Math.min(this.scenes - 1, this.#scenes.rest ?? this.scenes - 1);
  }

  /** What happens in the scene that is shown, where the board tells the step scene by scene. */
  get text(): string {
    return this.#scenes.texts[this.scene] ?? '';
  }

  get step(): number {
    return this.stops[this.place]?.version ?? 0;
  }

  get isAtEnd(): boolean {
    return this.place >= this.last && this.scene >= this.scenes - 1;
  }

  get isAtStart(): boolean {
    return this.place === 0 && (this.scenes < 2 || this.scene === 0);
  }

  /** The nearest mark before or after. */
  markAt(by: 1 | -1): number | null {
    for (let i = this.place + by; i >= 0 && i <= this.last; i += by) if (this.stops[i]!.mark) return i;
    return null;
  }

  /** Find out how the game went, by now. */
  async load(): Promise<void> {
    const outline = await get<Outline>(`/tables/${this.table}/film`, { as: this.viewpoint, invitation: this.invitation });
    this.#reel.grow(outline.total);
    const stops = outline.steps;
    const isEarlier = (await this.#reel.at(0)) !== null;
    const before: FilmStep = { version: 0, at: stops[0]?.at ?? 0, mark: '', accent: '', figures: null };
    this.stops = isEarlier && stops[0]?.version !== 0 ? [before, ...stops] : stops;
    this.isReady = true;
  }

  /** The stop of a step, or the last one before it; null where the game has not got so far. */
  placeOf(step: number): number | null {
    if (!Number.isInteger(step) || step < 0 || step > this.#reel.total) return null;
    return Math.max(0, this.stops.findLastIndex((stop) => stop.version <= step));
  }

  /** Go to a stop by hand. */
  go(place: number): Promise<void> {
    this.pause();
    return this.#show(place, 'rest');
  }

  /** One scene on or back, over the edge of the step too. */
  move(by: 1 | -1): Promise<void> {
    this.pause();
    return this.#stride(by);
  }

  async play(): Promise<void> {
    this.isPlaying = true;
    if (this.isAtEnd) await this.#show(0, 'first');
    else this.#schedule();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else void this.play();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** The board says what is to be seen in the step that it was given. */
  tells = (scenes: Scenes): void => {
    this.#scenes = scenes.texts.length ? scenes : ONE;
    const last = this.scenes - 1;
    // The first scene is as the step before has ended: who comes from there goes on with the second.
    this.scene = { rest: this.rest, first: Math.min(1, last), last }[this.#enters];
    this.#schedule();
  };

  async #stride(by: 1 | -1): Promise<void> {
    const to = this.scene + by;
    const least = this.scenes > 1 && this.place > 0 ? 1 : 0;
    if (to >= least && to < this.scenes) {
      this.scene = to;
      this.#schedule();
    } else await this.#show(this.place + by, by > 0 ? 'first' : 'last');
  }

  async #show(place: number, enters: 'rest' | 'first' | 'last'): Promise<void> {
    const to = Math.min(this.last, Math.max(0, place));
    this.#enters = enters;
    if (to === this.place && this.frame?.step === this.step) return this.tells(this.#scenes);
    this.place = to;
    try {
      const found = await this.#reel.at(this.step);
      if (this.place !== to) return;
      this.#scenes = ONE;
      this.scene = 0;
      this.frame = found;
      this.trouble = '';
      this.#schedule();
    } catch (error) {
      this.pause();
      this.trouble = sentence(error);
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.isPlaying || this.frame?.step !== this.step) return;
    this.#timer = setTimeout(() => {
      if (this.isAtEnd) this.pause();
      else void this.#stride(1);
    }, (this.#scenes.lasts ?? LASTS) / this.#speed);
  }
}

function remembered(): number {
  const kept = Number(localStorage.getItem(KEY));
  return SPEEDS.includes(kept) ? kept : 1;
}
