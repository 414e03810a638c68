/** A list that the house gives page by page, newest first. */

import { sentence } from '../../shell/toasts.svelte';

export const PAGE = 50;

export class Paged<T extends { id: number }> {
  /** Null until the first page has come. */
  items = $state.raw<T[] | null>(null);
  hasMore = $state(false);
  trouble = $state('');
  busy = $state(false);
  #asked = 0;

  constructor(private readonly fetch: (before: number | undefined) => Promise<T[]>) {}

  /** From the newest on. */
  async load(): Promise<void> {
    this.items = null;
    await this.more();
  }

  async more(): Promise<void> {
    const asked = ++this.#asked;
    this.busy = true;
    this.trouble = '';
    try {
      const page = await this.fetch(this.items?.at(-1)?.id);
      if (asked !== this.#asked) return;
      this.items = [...(this.items ?? []), ...page];
      this.hasMore = page.length === PAGE;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.trouble = sentence(error);
    }
    this.busy = false;
  }

  replace(item: T): void {
    this.items = this.items?.map((each) => (each.id === item.id ? item : each)) ?? null;
  }
}
