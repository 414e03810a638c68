/** A card tried on the empty board: where it brings a pawn from a square. */

import { post } from '../../../house/api';
import type { ArenaGame, ArenaReach } from '../../../house/types';
import { sentence } from '../../../shell/toasts.svelte';

export class Trial {
  card = $state('');
  color = $state('');
  x = $state(0);
  y = $state(0);
  squares = $state.raw<[number, number][]>([]);
  trouble = $state('');
  isAsking = $state(false);
  #asked = 0;

  /** Whatever was chosen for another game is kept where this one has it too. */
  fit(game: ArenaGame): void {
    const [rows, columns] = [game.circle_rows + game.arm_rows, game.number_arms * game.arms_width];
    if (!game.cards.some((card) => card.name === this.card)) this.card = game.cards[0]!.name;
    if (!game.colors.includes(this.color)) this.color = game.colors[0]!;
    // Squares that were reached on another board may not exist on this one.
    this.squares = this.squares.filter(([x, y]) => x < columns && y < rows);
    if (this.x >= columns || this.y >= rows || !(this.x >= 0 && this.y >= 0)) [this.x, this.y] = [0, rows - 1];
  }

  async ask(game: ArenaGame): Promise<void> {
    const asked = ++this.#asked;
    const { card, color, x, y } = this;
    this.isAsking = true;
    try {
      const { squares } = await post<ArenaReach>('/arena/reach', { description: game.description, card, color, x, y });
      if (asked === this.#asked) [this.squares, this.trouble] = [squares, ''];
    } catch (error) {
      if (asked === this.#asked) [this.squares, this.trouble] = [[], sentence(error)];
    } finally {
      if (asked === this.#asked) this.isAsking = false;
    }
  }
}
