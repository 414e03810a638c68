/** What can be said about a new password before the house is asked. */

import type { Faults } from '../../shell/faults.svelte';
import { words } from './words';

export const LEAST = 8;

export function checkTwice(faults: Faults, password: string, again: string): void {
  // The house counts characters, not the halves that some of them take in the browser.
  if ([...password].length < LEAST) faults.set('password', words('passwordShort'));
  else if (password !== again) faults.set('again', words('differ'));
}
