/** What is wrong with a form: each fault at its field, the rest in one sentence above. */

import { tick } from 'svelte';
import { Refusal } from '../house/api';
import { sentence } from './toasts.svelte';

/** Codes of the house that name no field, and the field they are about. */
const FIELDS: Record<string, string> = {
  password_wrong: 'current',
  country_unknown: 'country',
  time_zone_unknown: 'time_zone',
  language_unknown: 'language',
};

export class Faults {
  #found = $state<Record<string, string>>({});
  general = $state<string | null>(null);

  constructor(private readonly fields: string[]) {}

  at(field: string): string | null {
    return this.#found[field] ?? null;
  }

  get any(): boolean {
    return this.general !== null || Object.keys(this.#found).length > 0;
  }

  clear(): void {
    this.#found = {};
    this.general = null;
  }

  set(field: string, text: string): void {
    this.#found = { ...this.#found, [field]: text };
  }

  /** Do something; what the house refuses stands at its field. Gives back whether it was done. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const field = error instanceof Refusal ? fieldOf(error) : null;
      if (field && this.fields.includes(field)) this.set(field, sentence(error));
      else this.general = sentence(error);
      this.show();
      return false;
    }
  }

  /** Lead to the first field with a fault. */
  show(): void {
    void tick().then(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
  }
}

function fieldOf(refusal: Refusal): string | null {
  const { code, detail } = refusal;
  if (typeof detail.parts.field === 'string') return detail.parts.field;
  if (code === 'invalid') return /^\$\.(\w+)/.exec(String(detail.parts.at ?? ''))?.[1] ?? null;
  return FIELDS[code] ?? /^(pseudo|password|email|code)_/.exec(code)?.[1] ?? null;
}
