/** When it is one's turn: a mark in the title, how many games wait, a sound, a notification of the browser; each only if one wants it. */

import { house } from '../house/house.svelte';
import { push } from '../house/push.svelte';
import { preferences } from './preferences.svelte';

export type Sound = 'turn' | 'open' | 'mine' | 'end' | 'message' | 'refused' | 'move' | 'capture' | 'check';

/** Each sound is a few tones: frequency in hertz, start and length in seconds. */
const TONES: Record<Sound, [number, number, number][]> = {
  turn: [[660, 0, 0.12], [880, 0.13, 0.18]],
  open: [[520, 0, 0.05]],
  mine: [[140, 0, 0.25], [90, 0.05, 0.35]],
  end: [[523, 0, 0.15], [659, 0.15, 0.15], [784, 0.3, 0.3]],
  message: [[740, 0, 0.08], [988, 0.09, 0.1]],
  refused: [[220, 0, 0.12]],
  move: [[330, 0, 0.05]],
  capture: [[250, 0, 0.06], [190, 0.05, 0.09]],
  check: [[440, 0, 0.08], [587, 0.09, 0.14]],
};

class Alerts {
  #mark = $state('');
  #unread = $state(0);
  #games = $state(0);
  #audio: AudioContext | null = null;

  /** What stands before the title of the window. */
  get mark(): string {
    if (!preferences.current.title) return '';
    const games = this.#games ? `(${this.#games}) ` : '';
    const unread = this.#unread ? `✉ ${this.#unread} ` : '';
    return this.#mark + games + unread;
  }

  /** So many games wait for one: in the title, and on the icon where the page is installed. */
  games(n: number): void {
    this.#games = n;
    if (!('setAppBadge' in navigator)) return;
    // A browser may refuse it where the page is not installed, and there is no icon then.
    void (n ? navigator.setAppBadge(n) : navigator.clearAppBadge()).catch(() => {});
  }

  /** So much is unread on the screen that is shown. */
  unread(n: number): void {
    this.#unread = n;
  }

  play(sound: Sound): void {
    if (!preferences.current.sounds) return;
    // A browser allows sound only after a gesture; before that there is nothing to be heard, and nothing wrong.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
    this.#audio ??= new AudioContext();
    const audio = this.#audio;
    if (audio.state === 'suspended') void audio.resume();
    for (const [frequency, start, length] of TONES[sound]) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.08, audio.currentTime + start);
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + start + length);
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + start);
      tone.stop(audio.currentTime + start + length);
    }
  }

  /** It is one's turn (or no longer). The rest is said only to who looks elsewhere; the sound too, where moves are heard. */
  turn(isMine: boolean, text: string, href: string, movesAreHeard = false): void {
    this.#mark = isMine && preferences.current.title ? '● ' : '';
    if (!isMine) return;
    if (!movesAreHeard || document.visibilityState === 'hidden') this.play('turn');
    if (document.visibilityState === 'hidden') this.notify(text, href);
  }

  /** A notification of the browser, if it is wanted and allowed; gives back whether it was made. */
  notify(text: string, href: string): boolean {
    if (!preferences.current.notifications || !('Notification' in window)) return false;
    if (Notification.permission !== 'granted') return false;
    const how = { body: text, icon: '/icon-192.png', tag: href };
    if (push.worker) {
      // With the tag of the push message about the same thing, which then takes its place and is not a second one.
      void push.worker.showNotification(house.name, { ...how, data: { path: href } }).catch(() => {});
      return true;
    }
    try {
      const notification = new Notification(house.name, how);
      notification.onclick = () => {
        focus();
        location.assign(href);
        notification.close();
      };
      return true;
    } catch {
      return false; // browsers of telephones have the class, and refuse to make one
    }
  }

  /** Ask the browser; true if it allows notifications. */
  async mayNotify(): Promise<boolean> {
    if (!('Notification' in window)) return false;
    return (await Notification.requestPermission()) === 'granted';
  }
}

export const alerts = new Alerts();
