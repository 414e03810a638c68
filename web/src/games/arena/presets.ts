/** Arenas ready to choose: a duel, four of us, a crowd, short ones, with heroes, by correspondence. */

import type { Preset } from '../page';
import { catalogue } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: {
    duel: 'Duel',
    duelText: 'à deux, 90 secondes par tour',
    four: 'À quatre',
    fourText: 'un bras sur deux, 90 secondes par tour',
    crowd: 'La mêlée',
    crowdText: 'huit joueurs, huit bras',
    short: 'Le carrefour',
    shortText: 'quatre joueurs, une partie courte',
    heroes: 'Avec les héros',
    heroesText: 'à quatre, chacun choisit son héros',
    days: 'Par correspondance',
    daysText: 'à quatre, deux jours par tour',
  },
  en: {
    duel: 'Duel',
    duelText: 'two of us, 90 seconds a turn',
    four: 'Four of us',
    fourText: 'every second arm, 90 seconds a turn',
    crowd: 'The crowd',
    crowdText: 'eight players, eight arms',
    short: 'The crossroads',
    shortText: 'four players, a short game',
    heroes: 'With heroes',
    heroesText: 'four of us, each chooses a hero',
    days: 'By correspondence',
    daysText: 'four of us, two days a turn',
  },
});

type Name = 'duel' | 'four' | 'crowd' | 'short' | 'heroes' | 'days';
const TURN = { kind: 'move', seconds: 90 } as const;

const arena = (name: Name, seats: number, more: Partial<Preset> = {}): Preset => ({
  name: () => words(name),
  text: () => words(`${name}Text`),
  variant: 'standard',
  options: { heroes: false },
  seats,
  time: TURN,
  ...more,
});

export const presets: Preset[] = [
  arena('duel', 2),
  arena('four', 4),
  arena('crowd', 8),
  arena('short', 4, { variant: 'crossroads' }),
  arena('heroes', 4, { options: { heroes: true, choose_heroes: true } }),
  arena('days', 4, { time: { kind: 'days', days: 2 } }),
];
