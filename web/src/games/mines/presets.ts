/** The boards that everybody knows, ready to choose. */

import type { Preset } from '../page';
import { catalogue } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: {
    beginner: 'Débutant',
    beginnerText: '9 × 9, 10 mines',
    intermediate: 'Intermédiaire',
    intermediateText: '16 × 16, 40 mines',
    expert: 'Expert',
    expertText: '30 × 16, 99 mines',
    noGuess: 'Sans hasard',
    noGuessText: '16 × 16, 40 mines, jamais besoin de deviner',
  },
  en: {
    beginner: 'Beginner',
    beginnerText: '9 × 9, 10 mines',
    intermediate: 'Intermediate',
    intermediateText: '16 × 16, 40 mines',
    expert: 'Expert',
    expertText: '30 × 16, 99 mines',
    noGuess: 'No guessing',
    noGuessText: '16 × 16, 40 mines, never a need to guess',
  },
});

export const presets: Preset[] = [
  {
    name: () => words('beginner'),
    text: () => words('beginnerText'),
    variant: 'custom',
    options: { width: 9, height: 9, mines: 10, no_guess: false },
  },
  {
    name: () => words('intermediate'),
    text: () => words('intermediateText'),
    variant: 'custom',
    options: { width: 16, height: 16, mines: 40, no_guess: false },
  },
  { name: () => words('expert'), text: () => words('expertText'), variant: 'classic', options: {} },
  {
    name: () => words('noGuess'),
    text: () => words('noGuessText'),
    variant: 'custom',
    options: { width: 16, height: 16, mines: 40, no_guess: true },
  },
];
