/** One's place in the queue for an opponent, wherever in the page one waits. */

import { get, put, remove } from './api';
import { live } from './live.svelte';
import { session } from './session.svelte';
import type { QueueStatus, QueueWish } from './types';

const LOOK_EVERY = 6_000;

class Queue {
  /** What one waits for; null for who does not wait. */
  status = $state.raw<QueueStatus | null>(null);
  /** Called when there is a table, or when the house has let the place go (null). */
  onEnd: (table: number | null) => void = () => {};

  #account: number | null = null;
  #stop: (() => void) | null = null;

  /** Ask the house whether one waits: somebody who came back, another tab. */
  async find(): Promise<void> {
    if (this.status || !session.me) return;
    const status = await get<QueueStatus>('/queue');
    if (status.waiting) this.#wait(status);
  }

  async enter(wish: QueueWish): Promise<void> {
    await session.orVisitor();
    const status = await put<QueueStatus>('/queue', wish);
    this.#wait(status);
    this.#hear(status);
  }

  async leave(): Promise<void> {
    await remove('/queue');
    this.#end();
  }

  #wait(status: QueueStatus): void {
    this.#end();
    this.status = status;
    this.#account = session.me?.account ?? null;
    const unlisten = live.listen({
      topic: () => ({ topic: 'queue' }),
      hear: (message) => {
        if (message.type === 'queue') this.#hear(message.queue);
      },
    });
    // The house tells when a table is found; how many others wait is asked for now and then.
    const looking = setInterval(() => void this.#look(), LOOK_EVERY);
    const letGo = () => void fetch('/api/v1/queue', { method: 'DELETE', keepalive: true, headers: { 'X-Tablee': 'page' } });
    // Who closes the page is not there to play.
    addEventListener('pagehide', letGo);
    this.#stop = () => {
      unlisten();
      clearInterval(looking);
      removeEventListener('pagehide', letGo);
    };
  }

  async #look(): Promise<void> {
    if (!this.status) return;
    if (session.me?.account !== this.#account) return this.#end();
    try {
      this.#hear(await get<QueueStatus>('/queue'));
    } catch {
      // Out of reach for a moment; the next look comes by itself.
    }
  }

  #hear(status: QueueStatus): void {
    if (!this.status) return;
    if (status.waiting) {
      this.status = status;
      return;
    }
    this.#end();
    this.onEnd(status.table);
  }

  #end(): void {
    this.#stop?.();
    this.#stop = null;
    this.status = null;
  }
}

export const queue = new Queue();
