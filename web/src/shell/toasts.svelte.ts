/** Short sentences at the edge of the page: something was done, or could not be. */

import { OutOfReach, Refusal } from '../house/api';
import { words } from './words';

interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'trouble' | 'news';
  href?: string;
}

class Toasts {
  all = $state.raw<Toast[]>([]);
  #next = 1;

  say(text: string, kind: Toast['kind'] = 'done', href?: string): void {
    const toast = { id: this.#next++, text, kind, href };
    this.all = [...this.all.slice(-3), toast];
    setTimeout(() => this.dismiss(toast.id), kind === 'done' ? 4_000 : 8_000);
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }

  /** Do something, and say so if the house refuses; gives back whether it was done. */
  async attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    try {
      await work();
    } catch (error) {
      this.say(sentence(error), 'trouble');
      return false;
    }
    if (done) this.say(done);
    return true;
  }
}

/** What to tell a person about an error. */
export function sentence(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof OutOfReach) return words('outOfReach');
  console.error(error);
  return words('failed');
}

export const toasts = new Toasts();
