/** The text on the desk, kept in this browser. */

import { TEMPLATE } from './template';

const KEY = 'tablee-arena-draft';

export class Draft {
  #text = $state(found() ?? TEMPLATE);
  /** What was there before another text was opened in its place. */
  before = $state<string | null>(null);
  /** False where the browser keeps nothing, or not so much. */
  isKept = $state(true);

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    try {
      localStorage.setItem(KEY, text);
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
  }

  /** Another text in its place; what was there can be had back. */
  open(text: string): void {
    this.before = this.#text === text ? this.before : this.#text;
    this.text = text;
  }

  takeBack(): void {
    if (this.before === null) return;
    this.text = this.before;
    this.before = null;
  }
}

function found(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
