import { catalogue } from '../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    ratings: { one: 'Cote après {n} partie : {last}.', other: 'Cote au fil de {n} parties : de {first} à {last}, au plus haut {best}.' },
    asTable: 'La même chose en tableau',
    when: 'Date',
    rating: 'Cote',
    change: 'Évolution',
    game: 'Partie',
    won: { one: '{n} gagnée', other: '{n} gagnées' },
    drawn: { one: '{n} nulle', other: '{n} nulles' },
    lost: { one: '{n} perdue', other: '{n} perdues' },
    see: 'Table {n}',
  },
  en: {
    ratings: { one: 'Rating after {n} game: {last}.', other: 'Rating over {n} games: from {first} to {last}, best {best}.' },
    asTable: 'The same as a table',
    when: 'Date',
    rating: 'Rating',
    change: 'Change',
    game: 'Game',
    won: { one: '{n} won', other: '{n} won' },
    drawn: { one: '{n} drawn', other: '{n} drawn' },
    lost: { one: '{n} lost', other: '{n} lost' },
    see: 'Table {n}',
  },
});
