/** The countries and time zones that the house knows, asked for once and when first needed. */

import { get } from './api';
import type { PlaceName, Places } from './types';
import { language } from '../words/catalogue.svelte';

class Atlas {
  countries = $state.raw<PlaceName[]>([]);
  timeZones = $state.raw<PlaceName[]>([]);
  #asked: Promise<void> | undefined;

  load(): Promise<void> {
    this.#asked ??= this.#load().catch((error: unknown) => {
      this.#asked = undefined;
      throw error;
    });
    return this.#asked;
  }

  async #load(): Promise<void> {
    const [countries, zones] = await Promise.all([get<Places>('/countries'), get<Places>('/time-zones')]);
    this.countries = countries.places;
    this.timeZones = zones.places;
  }

  /** The countries by their names in the language of the page. */
  get sortedCountries(): PlaceName[] {
    const by = new Intl.Collator(language());
    return [...this.countries].sort((a, b) => by.compare(a[language()], b[language()]));
  }

  /** The name of a country by its code; the code itself until the names are there. */
  country(code: string): string {
    return this.countries.find((each) => each.code === code)?.[language()] ?? code;
  }

  /** The zone of this browser as the house names it, summer time left aside; empty where the list has none. */
  ownTimeZone(): string {
    const year = new Date().getFullYear();
    const minutes = -Math.max(...[0, 6].map((month) => new Date(year, month, 1).getTimezoneOffset()));
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    const clock = rest ? `${hours}:${String(rest).padStart(2, '0')}` : String(hours);
    const code = minutes === 0 ? 'UTC' : `UTC ${minutes < 0 ? '-' : '+'} ${clock}`;
    return this.timeZones.some((each) => each.code === code) ? code : '';
  }
}

export const atlas = new Atlas();
