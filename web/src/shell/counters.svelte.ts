/** What waits for one: unread notices and messages, friends' requests, tables where it is one's turn. */

import { get } from '../house/api';
import { live } from '../house/live.svelte';
import { session } from '../house/session.svelte';
import type { ChallengeInfo, Conversations, Friend, FriendList, Notice, Said } from '../house/types';

class Counters {
  notices = $state(0);
  messages = $state(0);
  requests = $state(0);
  newest = $state.raw<Notice[]>([]);
  friends = $state.raw<Friend[]>([]);
  /** Challenges and rematches, offered and received, with what was answered lately. */
  challenges = $state.raw<ChallengeInfo[]>([]);
  /** Whose conversation is open on the screen: his messages need no announcement. */
  reading: number | null = null;

  #heard = new Set<(said: Said) => void>();
  #noticed = new Set<(notice: Notice) => void>();
  /** The notices that were there when we came, and those told since; null before the first word. */
  #known: Set<number> | null = null;
  /** Counts what was told and asked about friends: an answer that something newer has overtaken says nothing. */
  #wordOfFriends = 0;

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
          this.#tellNew(message.notices);
        },
      }),
      live.listen({
        topic: () => ({ topic: 'challenges' }),
        hear: (message) => {
          if (message.type === 'challenges') this.challenges = message.challenges;
        },
      }),
    ];
    if (me.kind === 'member') {
      ends.push(
        live.listen({
          topic: () => ({ topic: 'friends' }),
          hear: (message) => {
            if (message.type !== 'friends') return;
            this.#wordOfFriends += 1;
            this.#friendsAre(message.friends);
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
      this.#wordOfFriends += 1;
      this.friends = [];
      this.challenges = [];
      this.#known = null;
    };
  }

  /** Ask for the friends, where the live connection may not have brought them. */
  async readFriends(): Promise<void> {
    const asked = (this.#wordOfFriends += 1);
    const { friends } = await get<FriendList>('/friends');
    if (asked === this.#wordOfFriends) this.#friendsAre(friends);
  }

  #friendsAre(friends: Friend[]): void {
    this.friends = friends;
    this.requests = friends.filter((friend) => friend.status === 'asked_by_them').length;
  }

  #tellNew(notices: Notice[]): void {
    const known = this.#known;
    this.#known = new Set([...(known ?? []), ...notices.map((notice) => notice.id)]);
    if (!known) return;
    for (const notice of notices) {
      if (!notice.read && !known.has(notice.id)) for (const hear of this.#noticed) hear(notice);
    }
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

  /** Called for each notice that comes while one is here; gives back the function that ends it. */
  onNotice(hear: (notice: Notice) => void): () => void {
    this.#noticed.add(hear);
    return () => this.#noticed.delete(hear);
  }
}

export const counters = new Counters();
