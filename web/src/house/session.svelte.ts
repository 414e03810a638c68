/** Who one is in this page: nobody yet, a visitor, a member, or an administrator acting as somebody. */

import { actWith, COOKIE_LASTS, get, goodUntil, post, quiet, remove, renew, Refusal } from './api';
import type { Me, SignedIn, SignUp } from './types';
import { browserName } from './browser';
import { live } from './live.svelte';
import { push } from './push.svelte';
import { language } from '../words/catalogue.svelte';

/** Tells the next load that there may be a session to ask for, so that newcomers' browsers log no refusal. */
const HINT = 'tablee-session';

class Session {
  me = $state<Me | null>(null);
  /** False until the page knows whether somebody is signed in. */
  known = $state(false);
  /** While one signs out. */
  isLeaving = false;

  get isMember(): boolean {
    return this.me?.kind === 'member';
  }

  get isAdministrator(): boolean {
    return this.me?.role === 'administrator' || this.me?.role === 'super';
  }

  /** At the start of the page: find out who one is, then come in. */
  async open(): Promise<void> {
    if (localStorage.getItem(HINT)) await this.#find();
    this.known = true;
    live.start();
    // Another tab has signed in or out.
    addEventListener('storage', (event) => {
      if (event.key === HINT) void this.#changedElsewhere();
    });
  }

  async #changedElsewhere(): Promise<void> {
    if (localStorage.getItem(HINT)) await this.again();
    else this.forget();
  }

  async #find(): Promise<void> {
    try {
      // The access cookie lasts a quarter of an hour and may be gone: a renewal answers who one is, too.
      if (await renew()) this.me = await get<Me>('/session');
      else localStorage.removeItem(HINT);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      localStorage.removeItem(HINT);
    }
  }

  /** Play without an account: whoever is nobody yet becomes a visitor. */
  async orVisitor(): Promise<void> {
    if (this.me) return;
    await this.#signedIn(await post<SignedIn>('/visitors', { language: language(), cookies: true }));
  }

  async logIn(name: string, password: string): Promise<void> {
    await this.#signedIn(await post<SignedIn>('/session', { name, password, label: browserName(), cookies: true }));
  }

  /** A visitor who signs up keeps his games. */
  async signUp(details: SignUp): Promise<void> {
    await this.#signedIn(await post<SignedIn>('/accounts', { ...details, label: browserName(), cookies: true }));
  }

  async recover(email: string, code: string, password: string): Promise<void> {
    const signed = await post<SignedIn>('/recovery/confirm', { email, code, password, cookies: true });
    await this.#signedIn(signed);
  }

  /** What is still asked is answered first, and the end of the session surprises nobody. */
  async logOut(): Promise<void> {
    this.isLeaving = true;
    try {
      await quiet();
      await remove('/session');
      this.forget();
    } finally {
      this.isLeaving = false;
    }
  }

  /** The session is gone, by our doing or the house's. */
  forget(): void {
    localStorage.removeItem(HINT);
    goodUntil(Infinity);
    actWith(null);
    this.me = null;
    live.reconnect();
    // The house sends nothing more to a session that is over; the browser need not listen either.
    void push.forget().catch(() => {});
  }

  /** An administrator goes on as somebody else, in this tab and until it is closed or he comes back. */
  async actAs(account: number): Promise<void> {
    const signed = await post<SignedIn>(`/admin/accounts/${account}/act`);
    actWith(signed.access);
    await this.again();
  }

  async stopActing(): Promise<void> {
    actWith(null);
    await this.again();
  }

  /** Ask anew who one is: after a change of the account. */
  async again(): Promise<void> {
    this.me = await get<Me>('/session');
    live.reconnect();
  }

  async #signedIn(signed: SignedIn): Promise<void> {
    localStorage.setItem(HINT, String(signed.account));
    goodUntil(Date.now() + COOKIE_LASTS);
    await this.again();
  }
}

export const session = new Session();
// Also for nobody: a browser may hold the cookie of a session that was ended from elsewhere.
live.onSessionEnded = async () => {
  if (session.isLeaving) return;
  if (await renew().catch(() => true)) live.reconnect();
  else session.forget();
};
