/** The house itself: its name, and the games that it has. */

import { get } from './api';
import type { Games, Index, Variant } from './types';
import { filled, language, type Parts } from '../words/catalogue.svelte';

class House {
  name = $state('Tablée');
  /** The club's time zone, in which deadlines fall. */
  zone = $state('Europe/Paris');
  variants = $state.raw<Variant[]>([]);
  #asked: Promise<void> | undefined;

  /** Ask once; whoever asks again waits for the same answer. */
  load(): Promise<void> {
    this.#asked ??= this.#load().catch((error: unknown) => {
      this.#asked = undefined;
      throw error;
    });
    return this.#asked;
  }

  async #load(): Promise<void> {
    const [index, games] = await Promise.all([get<Index>('/'), get<Games>('/games')]);
    this.name = index.name;
    this.zone = index.time_zone;
    this.variants = games.games;
  }

  variant(game: string, variant: string): Variant | undefined {
    return this.variants.find((each) => each.game === game && each.variant === variant);
  }

  /** The games, in the house's order. */
  get games(): string[] {
    return [...new Set(this.variants.map((variant) => variant.game))];
  }

  /** A game's own word, by its key, in the language of the page; the key itself where there is none. */
  word(game: string, variant: string | null, key: string, parts: Parts = {}): string {
    const found = this.variants.find((each) => each.game === game && (variant === null || each.variant === variant));
    const text = found?.words[language()]?.[key];
    return text === undefined ? key : filled(text, parts);
  }

  /** What a variant is called. */
  variantName(game: string, variant: string): string {
    const words = this.variants.find((each) => each.game === game && each.variant === variant)?.words[language()];
    return words?.[`name.${variant}`] ?? words?.name ?? `${game} (${variant})`;
  }
}

export const house = new House();
