/** Cards, trumps and effects in words: what is drawn, for the ear, and what a trump does. */

import type { CardKind, Description, Trump } from './model';
import type { NamedCard } from './types';
import { cardName, colorName, trumpName } from './names';
import { words } from './words';

export function kindOf(description: Description, card: string): CardKind {
  return description.cards.find((each) => each.name === card)!;
}

/** A card in full, its first words as they stand on it: « Reine, bleu. 2 pas, droit ou en diagonale. Couleurs : bleu. » */
export function spokenCard(description: Description, held: NamedCard): string {
  const kind = kindOf(description, held.card);
  const colors = kind.colors[held.color] ?? [];
  return words('cardLabel', {
    card: `${cardName(held.card)}, ${colorName(held.color)}`,
    steps: words('steps', { n: kind.steps }),
    kinds: kind.types.map((type) => words(type)).join(', '),
    colors: colors.length === description.colors.length ? words('allColors') : colors.map(colorName).join(', '),
    special: kind.special_actions.length ? words('pushes') : '',
  });
}

export function trumpOf(description: Description, name: string): Trump | undefined {
  return description.trumps.find((each) => each.name === name);
}

/** What a trump does, from its effect. */
export function effectOf({ effect, duration }: Trump): string {
  switch (effect.type) {
    case 'ModifyNumberMoves':
      return words(effect.delta_moves < 0 ? 'lessMoves' : 'moreMoves', { n: Math.abs(effect.delta_moves) });
    case 'RemoveColor':
      return words('losesColors', { colors: effect.colors.map(colorName).join(', ') });
    case 'RemoveEffects':
      return words('wearsOff', { n: duration, trumps: effect.effects.map(trumpName).join(', ') });
    case 'ModifyTrumpDurations': {
      const trumps = effect.trump_names.map(trumpName).join(', ') || words('everyEffect');
      return words(effect.delta_duration < 0 ? 'wearsOff' : 'lastsOn', { n: Math.abs(effect.delta_duration), trumps });
    }
  }
}

export function lastingOf({ effect, duration }: Trump): string {
  const isAtOnce = effect.type === 'RemoveEffects' || effect.type === 'ModifyTrumpDurations';
  return isAtOnce ? words('atOnce') : words('forTurns', { n: duration });
}
