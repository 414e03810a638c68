/** One's conversations: asked for anew whenever a message comes or goes. */

import { get } from '../../house/api';
import type { Conversation, Conversations } from '../../house/types';
import { counters } from '../../shell/counters.svelte';

class OwnConversations {
  all = $state.raw<Conversation[]>([]);
  /** Whose they are: another person must not see them for a moment. */
  #account: number | null = null;
  isLoaded = $state(false);

  async load(account: number): Promise<void> {
    if (this.#account !== account) {
      this.all = [];
      this.isLoaded = false;
    }
    this.#account = account;
    const found = await get<Conversations>('/conversations');
    if (this.#account !== account) return;
    this.all = found.conversations;
    this.isLoaded = true;
    counters.messages = found.unread;
  }
}

export const conversations = new OwnConversations();
