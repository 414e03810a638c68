import { catalogue } from '../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    title: 'Étudier une partie d’échecs',
    text: 'Une partie (PGN) ou une position (FEN)',
    variant: 'Variante',
    read: 'Lire',
    position: 'La position après {n} demi-coups',
    moves: 'Les coups',
    playOn: 'Jouer depuis cette position, contre un robot',
  },
  en: {
    title: 'Study a game of chess',
    text: 'A game (PGN) or a position (FEN)',
    variant: 'Variant',
    read: 'Read',
    position: 'The position after {n} half-moves',
    moves: 'The moves',
    playOn: 'Play on from this position, against a robot',
  },
});
