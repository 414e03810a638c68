/** How one likes the page: kept in the browser, and with the account where there is one. */

import { get, patch } from '../house/api';
import type { AccountDetails } from '../house/types';
import { session } from '../house/session.svelte';
import { speak, type Language } from '../words/catalogue.svelte';

export interface Preferences {
  language: Language;
  theme: 'system' | 'light' | 'dark';
  /** Colours that tell players and numbers apart: the usual ones, two for the colour-blind, one of grey. */
  palette: 'usual' | 'deuteranopia' | 'tritanopia' | 'contrast';
  sounds: boolean;
  motion: 'system' | 'reduced';
  /** Browser notifications when it is one's turn. */
  notifications: boolean;
  /** The title of the page says when it is one's turn. */
  title: boolean;
}

const KEY = 'tablee-preferences';
/** At the first visit the page speaks the language of the browser where it can, and French otherwise. */
const SPOKEN = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each === 'fr' || each === 'en');
const USUAL: Preferences = {
  language: SPOKEN ?? 'fr', theme: 'system', palette: 'usual', sounds: true, motion: 'system', notifications: false, title: true,
};

class Keeper {
  current = $state<Preferences>({ ...USUAL, ...kept() });

  start(): void {
    this.#apply();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#apply());
  }

  /** After signing in: what the account remembers goes before what the browser does. */
  async fetch(): Promise<void> {
    const account = await get<AccountDetails>('/account');
    const remembered = (account.settings.page ?? {}) as Partial<Preferences>;
    if (account.kind === 'member' && Object.keys(remembered).length) {
      this.current = { ...this.current, ...remembered };
      this.#keep();
    }
  }

  async change(changes: Partial<Preferences>): Promise<void> {
    this.current = { ...this.current, ...changes };
    this.#keep();
    // Who acts as somebody changes how his own page looks, not what the other one has chosen.
    if (!session.me || session.me.acting) return;
    const account = await get<AccountDetails>('/account');
    await patch('/account', {
      settings: { ...account.settings, page: this.current },
      ...(changes.language ? { language: changes.language } : {}),
    });
  }

  #keep(): void {
    localStorage.setItem(KEY, JSON.stringify(this.current));
    this.#apply();
  }

  #apply(): void {
    const root = document.documentElement;
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = this.current.theme === 'system' ? (dark ? 'dark' : 'light') : this.current.theme;
    root.dataset.palette = this.current.palette;
    root.dataset.motion = this.current.motion;
    speak(this.current.language);
  }
}

function kept(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>;
  } catch {
    return {};
  }
}

export const preferences = new Keeper();
