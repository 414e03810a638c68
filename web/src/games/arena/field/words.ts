/** The words of the board itself. */

import { catalogue } from '../../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    help: 'Tab mène aux cases à choisir, les flèches vont de l’une à l’autre, Entrée choisit. + et − rapprochent et éloignent, 0 montre tout.',
    choices: 'Cases à choisir',
    square: 'Case {x},{y}',
    closer: 'Rapprocher',
    farther: 'Éloigner',
    whole: 'Voir tout le plateau',
  },
  en: {
    help: 'Tab leads to the squares to choose, arrows go from one to the next, Enter chooses. + and − go closer and further, 0 shows all.',
    choices: 'Squares to choose',
    square: 'Square {x},{y}',
    closer: 'Closer',
    farther: 'Further',
    whole: 'See the whole board',
  },
});
