/** The film of a round on the screen: played, paused, scene by scene, at a speed of one's own. */

import { lastsScene } from './lasting';
import type { Scene } from './timeline';

export const SPEEDS = [0.5, 1, 2, 4];
const KEY = 'tablee-robots-speed';
export class Playback {
  scenes = $state.raw<Scene[]>([]);
  at = $state(0);
  isPlaying = $state(false);
  /** One has gone to the scene oneself. */
  isByHand = $state(false);
  #speed = $state(remembered());
  #timer: ReturnType<typeof setTimeout> | undefined;

  get speed(): number {
    return this.#speed;
  }

  set speed(wanted: number) {
    this.#speed = wanted;
    localStorage.setItem(KEY, String(wanted));
  }

  get scene(): Scene | null {
    return this.scenes[this.at] ?? null;
  }

  get isAtEnd(): boolean {
    return this.at >= this.scenes.length - 1;
  }

  /** How long the scene that is shown lasts, in milliseconds. */
  get pace(): number {
    return lastsScene(this.scenes.length) / this.#speed;
  }

  /** Another round; played from its beginning, or only ready to be looked at again. */
  load(scenes: Scene[], isPlayed: boolean): void {
    this.stop();
    this.isByHand = false;
    this.scenes = scenes;
    this.at = isPlayed ? 0 : Math.max(0, scenes.length - 1);
    if (isPlayed && scenes.length > 1) this.play();
  }

  play(): void {
    if (this.isAtEnd) this.at = 0;
    this.isByHand = false;
    this.isPlaying = true;
    this.#next();
  }

  stop(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  toggle(): void {
    if (this.isPlaying) this.stop();
    else this.play();
  }

  go(to: number): void {
    this.stop();
    this.isByHand = true;
    this.at = Math.min(this.scenes.length - 1, Math.max(0, to));
  }

  /** To the end at once. */
  skip(): void {
    this.go(this.scenes.length - 1);
    this.isByHand = false;
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.isPlaying) return;
      if (!this.isAtEnd) this.at += 1;
      if (this.isAtEnd) this.isPlaying = false;
      else this.#next();
    }, this.pace);
  }
}

function remembered(): number {
  const kept = Number(localStorage.getItem(KEY));
  return SPEEDS.includes(kept) ? kept : 1;
}
