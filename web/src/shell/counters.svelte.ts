/** What waits for one: unread notices and messages, friends' requests, tables where it is one's turn. */

import { get } from '../house/api';
import { live } from '../house/live.svelte';
import { session } from '../house/session.svelte';
import type { Conversations, Friend, Notice, Said } from '../house/types';

class Counters {
  notices = $state(0);
  messages = $state(0);
  requests = $state(0);
  newest = $state.raw<Notice[]>([]);
  friends = $state.raw<Friend[]>([]);

  #heard = new Set<(said: Said) => void>();

  /** Begin to count for whoever is signed in; gives back the function that ends it. */
  start(): () => void {
    const me = session.me;
    if (!me) return () => {};
    const ends = [
      live.listen({
        topic: () => ({ topic: 'notices' }),
        hear: (message) => {
          if (message.type !== 'notice') return;
          this.newest = message.notices;
          this.notices = message.unread;
        },
      }),
    ];
    if (me.kind === 'member') {
      ends.push(
        live.listen({
          topic: () => ({ topic: 'friends' }),
          hear: (message) => {
            if (message.type !== 'friends') return;
            this.friends = message.friends;
            this.requests = message.friends.filter((friend) => friend.status === 'asked_by_them').length;
          },
        }),
        live.listen({
          topic: () => ({ topic: 'chat', channel: 'private' }),
          hear: (message) => {
            if (message.type !== 'message' || !message.message.channel.startsWith('private:')) return;
            for (const hear of this.#heard) hear(message);
            void this.countMessages();
          },
        }),
      );
      void this.countMessages();
    }
    return () => {
      for (const end of ends) end();
      this.notices = this.messages = this.requests = 0;
      this.newest = [];
      this.friends = [];
    };
  }

  async countMessages(): Promise<void> {
    try {
      this.messages = (await get<Conversations>('/conversations')).unread;
    } catch {
      // The count comes again with the next message.
    }
  }

  /** Called for each private message as it comes; gives back the function that ends it. */
  onMessage(hear: (said: Said) => void): () => void {
    this.#heard.add(hear);
    return () => this.#heard.delete(hear);
  }
}

export const counters = new Counters();
