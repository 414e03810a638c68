/** What is said in the roles of one game: the press, the letters of one's own roles, and what is still unread. */

import { untrack } from 'svelte';
import { get, post, put, remove } from '../../../house/api';
import { live } from '../../../house/live.svelte';
import type { SpokenList, SpokenShape, UnsentList, UnsentShape } from '../../../house/types';

/** With whom one speaks: everybody, by the press, or a role. */
export const PRESS = 'press';
export type With = typeof PRESS | number;

const PART = 200;

class Speech {
  press = $state.raw<SpokenShape[]>([]);
  /** Letters of one's own roles, by role, the oldest first. */
  letters = $state.raw<Record<number, SpokenShape[]>>({});
  /** What came by mail and waits until one has looked at it. */
  unsent = $state.raw<readonly UnsentShape[]>([]);
  isLoaded = $state(false);
  trouble = $state.raw<unknown>(null);
  /** What one looks at just now: it needs no announcement. */
  looking: { role: number; at: With } | null = null;

  #read = $state.raw<Record<string, number>>({});
  /** Whether the house has older ones, by `press` or the role whose letters they are. */
  #more = $state.raw<Record<string, boolean>>({});
  #roles = $state.raw<readonly number[]>([]);
  #users = 0;
  #end: (() => void) | null = null;
  #announced = new Set<(said: SpokenShape, mine: number) => void>();

  constructor(readonly table: number) {}

  /** Keep everything true for these roles of one's own, until the function that is given back is called. */
  start(roles: readonly number[]): () => void {
    if (roles.join() !== untrack(() => this.#roles).join()) {
      this.#roles = roles;
      this.isLoaded = false;
    }
    if (this.#users++ === 0) {
      this.#end = live.overhear((message) => {
        if (message.type === 'spoken' && message.table === this.table) this.#hear(message.spoken);
      });
    }
    return () => {
      if (--this.#users === 0) this.#end?.();
    };
  }

  /** Ask the house: at first, and whenever the connection has come back and may have missed some. */
  async load(): Promise<void> {
    const roles = this.#roles;
    if (!roles.length) return;
    this.trouble = null;
    try {
      const [press, ...letters] = await Promise.all([
        get<SpokenList>(`/tables/${this.table}/press`, { role: roles[0], limit: PART }),
        ...roles.map((role) => get<SpokenList>(`/tables/${this.table}/letters`, { role, limit: PART })),
      ]);
      if (roles !== this.#roles) return;
      const read: Record<string, number> = {};
      for (const role of roles) read[key(role, PRESS)] = press!.read_up_to[PRESS] ?? 0;
      letters.forEach((list, i) => {
        for (const [other, id] of Object.entries(list.read_up_to)) read[key(roles[i]!, Number(other))] = id;
      });
      this.#read = read;
      const part = (list: SpokenList) => list.spoken.length === PART;
      this.#more = { [PRESS]: part(press!), ...Object.fromEntries(letters.map((list, i) => [roles[i]!, part(list)])) };
      this.press = withNewer(press!.spoken, this.press);
      this.letters = Object.fromEntries(
        letters.map((list, i) => [roles[i]!, withNewer(list.spoken, this.letters[roles[i]!] ?? [])]),
      );
      this.isLoaded = true;
    } catch (error) {
      this.trouble = error;
    }
  }

  hasOlder(role: number, at: With): boolean {
    return this.#more[at === PRESS ? PRESS : role] ?? false;
  }

  /** Fetch what was said before the oldest that is here, until there is more to read or no more at all. */
  async older(role: number, at: With): Promise<void> {
    const before = this.said(role, at).length;
    const [path, whose] = at === PRESS ? (['press', PRESS] as const) : (['letters', role] as const);
    while (this.hasOlder(role, at) && this.said(role, at).length === before) {
      const own = at === PRESS ? this.press : (this.letters[role] ?? []);
      const { spoken } = await get<SpokenList>(`/tables/${this.table}/${path}`, { role, limit: PART, before: own[0]?.id });
      const all = inOrder([...spoken, ...own]);
      if (at === PRESS) this.press = all;
      else this.letters = { ...this.letters, [role]: all };
      this.#more = { ...this.#more, [whose]: spoken.length === PART };
    }
  }

  /** What was said between a role of one's own and somebody, or to all. */
  said(role: number, at: With): SpokenShape[] {
    if (at === PRESS) return this.press;
    return (this.letters[role] ?? []).filter((each) => otherOf(each, role) === at);
  }

  unread(role: number, at: With): number {
    const read = this.#read[key(role, at)] ?? 0;
    return this.said(role, at).filter((each) => each.id > read && each.author !== role).length;
  }

  /** How many are unread in all one's roles; the press counts once. */
  get unreadInAll(): number {
    const roles = this.#roles;
    const ofPress = roles.length ? this.unread(roles[0]!, PRESS) : 0;
    return roles.reduce((sum, role) => sum + this.unreadLetters(role), ofPress);
  }

  unreadLetters(role: number): number {
    const others = new Set((this.letters[role] ?? []).map((each) => otherOf(each, role)));
    return [...others].reduce((sum, other) => sum + this.unread(role, other), 0);
  }

  async declare(role: number, text: string): Promise<void> {
    this.#add(await post<SpokenShape>(`/tables/${this.table}/press`, { role, text }));
  }

  /** Ask for what came by mail; only an anonymous game has such. */
  async loadUnsent(): Promise<void> {
    this.unsent = (await get<UnsentList>(`/tables/${this.table}/unsent`)).unsent;
  }

  async sayUnsent(which: UnsentShape): Promise<void> {
    const sent = await post<SpokenList>(`/tables/${this.table}/unsent/${which.id}`);
    this.unsent = this.unsent.filter((each) => each !== which);
    for (const each of sent.spoken) this.#add(each);
  }

  async dropUnsent(which: UnsentShape): Promise<void> {
    await remove(`/tables/${this.table}/unsent/${which.id}`);
    this.unsent = this.unsent.filter((each) => each !== which);
  }

  /** The same letter to each of them. */
  async write(role: number, to: number[], text: string): Promise<void> {
    const sent = await post<SpokenList>(`/tables/${this.table}/letters`, { role, to, text });
    for (const each of sent.spoken) this.#add(each);
  }

  /** Tell the house that one has read, when somebody is really looking. */
  async readNow(role: number, at: With): Promise<void> {
    const last = this.said(role, at).at(-1)?.id ?? 0;
    if (document.visibilityState !== 'visible' || this.unread(role, at) === 0) return;
    const before = this.#read;
    const now = { ...before };
    // The press is one for all roles of one's own.
    for (const each of at === PRESS ? this.#roles : [role]) now[key(each, at)] = last;
    this.#read = now;
    try {
      if (at === PRESS) await put(`/tables/${this.table}/press/read`, { role, message: last });
      else await put(`/tables/${this.table}/letters/read`, { role, other: at, message: last });
    } catch {
      this.#read = before; // it is told again with the next look
    }
  }

  /** Called for what others say as it comes, with the role of one's own it was said to. */
  onNew(hear: (said: SpokenShape, mine: number) => void): () => void {
    this.#announced.add(hear);
    return () => this.#announced.delete(hear);
  }

  #hear(said: SpokenShape): void {
    const isNew = this.#add(said);
    if (!isNew || this.#roles.includes(said.author)) return;
    const mine = said.to === null ? this.#roles[0] : said.to;
    if (mine === undefined) return;
    for (const hear of this.#announced) hear(said, mine);
  }

  #add(said: SpokenShape): boolean {
    if (said.to === null) {
      if (this.press.some((each) => each.id === said.id)) return false;
      this.press = inOrder([...this.press, said]);
      return true;
    }
    let isNew = false;
    const letters = { ...this.letters };
    for (const role of this.#roles) {
      const own = letters[role] ?? [];
      if ((said.author !== role && said.to !== role) || own.some((each) => each.id === said.id)) continue;
      letters[role] = inOrder([...own, said]);
      isNew = true;
    }
    this.letters = letters;
    return isNew;
  }
}

const key = (role: number, at: With) => `${role}:${at}`;

function otherOf(said: SpokenShape, role: number): number {
  return said.author === role ? said.to! : said.author;
}

/** What the house answered, with what was heard since it was asked. */
function withNewer(answered: readonly SpokenShape[], heard: readonly SpokenShape[]): SpokenShape[] {
  const last = Math.max(0, ...answered.map((each) => each.id));
  return inOrder([...answered, ...heard.filter((each) => each.id > last)]);
}

function inOrder(spoken: SpokenShape[]): SpokenShape[] {
  return [...spoken].sort((one, other) => one.id - other.id);
}

const known = new Map<number, Speech>();

/** The one speech of a table, for its tab and its panel alike. */
export function speechOf(table: number): Speech {
  const found = known.get(table) ?? new Speech(table);
  known.set(table, found);
  return found;
}
