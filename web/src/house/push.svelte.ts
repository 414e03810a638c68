/** Push messages with the page closed: whether this browser takes them, asking for them, and ending them. */

import { get, post, remove } from './api';
import type { Push } from './types';

/** How this browser stands: `insecure` and `unable` say why it cannot, `denied` that it was told not to. */
export type Standing = 'insecure' | 'unable' | 'denied' | 'off' | 'on';

const WORKER = '/worker.js';
/** What the house was last told: by which session, and where this browser takes messages. */
const TOLD = 'tablee-push';

class PushMessages {
  standing = $state<Standing>(ability());
  /** What the house knows of one's devices; null before it was asked. */
  known = $state.raw<Push | null>(null);
  /** By which notifications are shown, once there is one. */
  worker: ServiceWorkerRegistration | null = null;

  #renewing: Promise<void> | undefined;

  /** Ask the house and the browser how things stand. */
  async look(session: number): Promise<void> {
    await this.renew(session);
    this.known = await get<Push>('/push');
    const made = await this.#subscription();
    if (made && !this.known.devices.some((device) => device.this)) {
      // It was taken away from elsewhere, or its push service knows it no more: it is of no use to anybody.
      await this.forget();
    }
    this.#stand(this.known.devices.some((device) => device.this) && made !== null);
  }

  /** Take messages here from now on; the browser may ask its owner first, who may say no. */
  async turnOn(session: number): Promise<void> {
    if ((await Notification.requestPermission()) !== 'granted') return this.#stand(false);
    await navigator.serviceWorker.register(WORKER);
    this.worker = await navigator.serviceWorker.ready;
    this.known ??= await get<Push>('/push');
    await this.#subscribe(this.known.key, session);
    this.#stand(true);
  }

  /** Take none any more on a device of one's own: on this one, its browser forgets them too. */
  async turnOff(device: number, session: number): Promise<void> {
    await remove(`/push/devices/${device}`);
    await this.look(session);
  }

  async tryOut(id: number): Promise<void> {
    await post(`/push/devices/${id}/trial`);
  }

  /** At the start of the page: whoever took messages here goes on to, also after he has signed in anew. */
  renew(session: number): Promise<void> {
    this.#renewing ??= this.#renew(session).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renew(session: number): Promise<void> {
    const made = await this.#subscription();
    if (!made || localStorage.getItem(TOLD) === told(session, made)) return;
    const { key } = await get<Push>('/push');
    await this.#subscribe(key, session);
  }

  /** Take no messages here any more: the browser forgets where it took them. */
  async forget(): Promise<void> {
    localStorage.removeItem(TOLD);
    await (await this.#subscription())?.unsubscribe();
  }

  async #subscription(): Promise<PushSubscription | null> {
    if (ability() !== 'off') return null;
    this.worker ??= (await navigator.serviceWorker.getRegistration()) ?? null;
    return (await this.worker?.pushManager.getSubscription()) ?? null;
  }

  async #subscribe(key: string, session: number): Promise<void> {
    let made = await this.#subscription();
    if (made && shown(made.options.applicationServerKey) !== key) {
      await made.unsubscribe(); // it was made for another house at this address
      made = null;
    }
    made ??= await this.worker!.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
    const { endpoint, keys } = made.toJSON();
    this.known = await post<Push>('/push/devices', { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
    localStorage.setItem(TOLD, told(session, made));
  }

  #stand(isOn: boolean): void {
    const can = ability();
    this.standing = can === 'off' && isOn ? 'on' : can;
  }
}

/** What this browser can do here at all. */
function ability(): Exclude<Standing, 'on'> {
  if (!isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unable';
  return Notification.permission === 'denied' ? 'denied' : 'off';
}

function told(session: number, made: PushSubscription): string {
  return `${session} ${made.endpoint}`;
}

/** Bytes as the house writes its key: base64 in the alphabet of URLs. */
function shown(key: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytes(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export const push = new PushMessages();
