/** The one live connection: comes back by itself, listens again to what it listened to, sends what is unanswered again. */

import { actingToken, fresh, renew } from './api';
import type { AnyFromClient, AnyFromServer, AnyTopic, ErrorDetail, Played } from './types';

type Hearer = (message: AnyFromServer) => void;
/** How the connection is, as it is shown: `lost` is said at once, `quiet` is before the first try. */
export type Link = 'quiet' | 'connecting' | 'open' | 'lost';

interface Listening {
  /** Called for every message of the topic. */
  hear: Hearer;
  /** The topic as it is asked for now; a table says since when. */
  topic: () => AnyTopic;
  /** The house does not let us listen. */
  refused?: (error: ErrorDetail) => void;
}

type Outcome = { played: Played } | { said: true } | { refused: ErrorDetail };

interface Pending {
  /** Whose move or words these are: nobody else may be made to send them. */
  account: number | null;
  message: AnyFromClient & { type: 'play' | 'say' };
  settle: (outcome: Outcome) => void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 10_000;
/** Without a word for so long a connection is taken for dead; we ask for a word earlier than that. */
const PING_EVERY = 15_000;
const SILENCE = 25_000;

class Live {
  link = $state<Link>('quiet');
  /** True once the house has answered to all that this page listens to: from here on it misses nothing. */
  isListening = $state(false);
  /** The house's clock minus ours, in milliseconds. */
  skew = $state(0);
  /** Which build of the page the house serves; another than ours means that this page is old. */
  build = $state('');
  /** When the next try will be, by our clock, while the connection is lost. */
  nextTry = $state(0);
  onSessionEnded: () => void = () => {};

  #socket: WebSocket | null = null;
  #listening = new Set<Listening>();
  #overhearing = new Set<Hearer>();
  #pending = new Map<string, Pending>();
  #asked = new Map<number, (error: ErrorDetail | null) => void>();
  #awaiting: (() => void)[] = [];
  #account: number | null = null;
  #introduced = false;
  #number = 0;
  #tries = 0;
  #heard = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;

  /** The house's time now. */
  now(): number {
    return Date.now() + this.skew;
  }

  start(): void {
    if (this.link !== 'quiet') return;
    addEventListener('online', () => this.#tryNow());
    addEventListener('offline', () => this.#socket?.close());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#tryNow();
      this.#ping();
    });
    setInterval(() => this.#beat(), 5_000);
    void this.#connect();
  }

  /** Come in anew, as whoever one is now. */
  reconnect(): void {
    if (this.link === 'quiet') return;
    this.#tries = 0;
    this.#drop();
    void this.#connect();
  }

  /** Listen to a topic until the function that is given back is called. */
  listen(listening: Listening): () => void {
    this.#listening.add(listening);
    if (this.link === 'open') this.#subscribe(listening);
    return () => {
      this.#listening.delete(listening);
      const topic = key(listening.topic());
      const still = [...this.#listening].some((other) => key(other.topic()) === topic);
      if (!still && this.link === 'open') {
        this.#send({ type: 'unsubscribe', to: plain(listening.topic()) });
      }
    };
  }

  /** Hear what comes for the topics that others listen to, until the function that is given back is called. */
  overhear(hear: Hearer): () => void {
    this.#overhearing.add(hear);
    return () => this.#overhearing.delete(hear);
  }

  /** Play a move. It is sent again, with the same id, until it is answered: never lost, never played twice. */
  play(table: number, action: object, epoch: string | null): { id: string; outcome: Promise<Outcome> } {
    const id = requestId();
    return { id, outcome: this.#insist(id, { type: 'play', table, action, request_id: id, epoch }) };
  }

  /** Say something in a channel, never lost and never twice, like a move; rejects with the house's refusal. */
  async say(channel: string, text: string, invitation: string | null = null): Promise<void> {
    const id = requestId();
    const outcome = await this.#insist(id, { type: 'say', channel, text, invitation, request_id: id, id });
    if ('refused' in outcome) throw new Error(outcome.refused.message);
  }

  /** Send now and, as long as no answer has come, each time that the connection is there again. */
  #insist(id: string, message: Pending['message']): Promise<Outcome> {
    const outcome = new Promise<Outcome>((settle) => {
      this.#pending.set(id, { account: this.#account, message, settle });
    });
    if (this.link === 'open') this.#send(message);
    return outcome;
  }

  /** Wait until the connection stands, for instance after one has become somebody; gives up after a while. */
  whenOpen(patience = 5_000): Promise<void> {
    if (this.link === 'open') return Promise.resolve();
    return new Promise((done) => {
      const stop = setTimeout(done, patience);
      this.#awaiting.push(() => {
        clearTimeout(stop);
        done();
      });
    });
  }

  async #connect(): Promise<void> {
    const attempt = ++this.#attempt;
    clearTimeout(this.#retry);
    this.link = this.link === 'lost' ? 'lost' : 'connecting';
    this.#noteListening();
    await fresh().catch(() => {});
    if (attempt !== this.#attempt) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/live`);
    this.#socket = socket;
    this.#introduced = false;
    this.#heard = Date.now();
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data as string) as AnyFromServer);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    };
  }

  #hear(message: AnyFromServer): void {
    this.#heard = Date.now();
    switch (message.type) {
      case 'welcome':
        this.#welcomed(message);
        return;
      case 'played':
        this.#settle(message.request_id, { played: message });
        return;
      case 'ok':
        if (typeof message.id === 'string') this.#settle(message.id, { said: true });
        else this.#answered(message.id, null);
        return;
      case 'error':
        if (message.request_id) this.#refused(message.request_id, message.error);
        else if (message.id != null) this.#answered(message.id, message.error);
        else this.#tell(message);
        return;
      case 'pong':
        this.skew = message.now - Date.now();
        return;
      case 'bye':
        this.#tries = 0;
        return;
      default:
        this.#tell(message);
    }
  }

  #welcomed(message: AnyFromServer & { type: 'welcome' }): void {
    this.skew = message.now - Date.now();
    this.build = message.build;
    const token = actingToken();
    if (token && !this.#introduced) {
      this.#introduced = true;
      this.#send({ type: 'hello', token });
      return; // the next welcome is the one that counts
    }
    this.link = 'open';
    this.#ping();
    this.#tries = 0;
    this.#account = message.account;
    for (const listening of this.#listening) this.#subscribe(listening);
    this.#noteListening();
    for (const done of this.#awaiting.splice(0)) done();
    for (const [id, { account, message: move }] of [...this.#pending]) {
      if (account === message.account) this.#send(move);
      else this.#settle(id, { refused: { code: 'not_identified', message: '', parts: {} } });
    }
  }

  #subscribe(listening: Listening): void {
    const id = ++this.#number;
    this.#asked.set(id, (error) => {
      if (error && error.code !== 'lost') listening.refused?.(error);
    });
    this.#send({ type: 'subscribe', to: listening.topic(), id });
    this.#noteListening();
  }

  #noteListening(): void {
    this.isListening = this.link === 'open' && this.#asked.size === 0;
  }

  #tell(message: AnyFromServer): void {
    for (const listening of [...this.#listening]) listening.hear(message);
    for (const hear of [...this.#overhearing]) hear(message);
  }

  #refused(id: string, error: ErrorDetail): void {
    const seconds = Number(error.parts.seconds ?? 0);
    if (['unavailable', 'busy', 'stopping', 'too_many'].includes(error.code)) {
      // The house could not look at it: it is still ours to send.
      setTimeout(() => {
        const pending = this.#pending.get(id);
        if (pending && this.link === 'open') this.#send(pending.message);
      }, 1000 * Math.max(0.5, seconds));
      return;
    }
    this.#settle(id, { refused: error });
  }

  #settle(id: string, outcome: Outcome): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(outcome);
  }

  #answered(id: number | string | null | undefined, error: ErrorDetail | null): void {
    if (typeof id !== 'number') return;
    this.#asked.get(id)?.(error);
    this.#asked.delete(id);
    this.#noteListening();
  }

  #send(message: AnyFromClient): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #beat(): void {
    void fresh().catch(() => {});
    const silent = Date.now() - this.#heard;
    if (this.link === 'open' && silent > SILENCE) {
      this.#drop();
      this.#lost(1006);
    } else if (this.link === 'open' && silent > PING_EVERY) {
      this.#ping();
    }
  }

  /** With each the house learns whether anybody sees this page: who does not is written letters. */
  #ping(): void {
    this.#send({ type: 'ping', hidden: document.visibilityState === 'hidden' });
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#forgetAsked();
  }

  /** What was asked of a connection that is gone will never be answered. */
  #forgetAsked(): void {
    for (const failed of this.#asked.values()) failed({ code: 'lost', message: '', parts: {} });
    this.#asked.clear();
    this.#noteListening();
  }

  #lost(code: number): void {
    this.link = 'lost';
    this.#forgetAsked();
    if (code === 4001) {
      this.onSessionEnded();
      return;
    }
    // After a while without an answer the cookie may have gone: the next try renews it first.
    if (this.#tries === 1) void renew().catch(() => {});
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.5 + Math.random() / 2);
    this.nextTry = Date.now() + wait;
    this.#retry = setTimeout(() => void this.#connect(), wait);
  }

  #tryNow(): void {
    if (this.link === 'lost') void this.#connect();
  }
}

function key(topic: AnyTopic): string {
  return JSON.stringify(plain(topic));
}

/** A topic without what changes from one asking to the next. */
function plain(topic: AnyTopic): AnyTopic {
  const { since: _, epoch: __, ...rest } = topic as AnyTopic & { since?: number; epoch?: string };
  return rest as AnyTopic;
}

function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, '0')).join('');
}

export const live = new Live();
