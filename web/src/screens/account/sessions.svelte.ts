/** One's sessions and bot tokens, shown in two parts of the account. */

import { get, post, remove } from '../../house/api';
import type { SessionInfo, SessionList, SignedIn } from '../../house/types';

/** What a program’s token may be good for besides reading. */
export const BOT_SCOPES = ['play', 'chat'] as const;
export type BotScope = (typeof BOT_SCOPES)[number];

class OwnSessions {
  all = $state.raw<SessionInfo[]>([]);

  get browsers(): SessionInfo[] {
    return this.all.filter((each) => each.kind !== 'bot');
  }

  get bots(): SessionInfo[] {
    return this.all.filter((each) => each.kind === 'bot');
  }

  async load(): Promise<void> {
    this.all = (await get<SessionList>('/sessions')).sessions;
  }

  async end(id: number): Promise<void> {
    await remove(`/sessions/${id}`);
    await this.load();
  }

  async endOthers(): Promise<void> {
    await remove('/sessions');
    await this.load();
  }

  /** Make a token for a program; what is given back is shown this once. */
  async makeBot(label: string, scopes: BotScope[]): Promise<string> {
    const made = await post<SignedIn>('/sessions/bots', { label, scopes });
    await this.load();
    return made.access ?? '';
  }
}

export const sessionList = new OwnSessions();
