/** Races ready to choose: a duel, an evening of many, by correspondence, and alone. */

import type { Preset } from '../page';
import { catalogue } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: {
    duel: 'Duel',
    duelText: 'deux robots, une minute par cartouche',
    four: 'À quatre',
    fourText: 'quatre robots, deux minutes par cartouche',
    crowd: 'La mêlée',
    crowdText: 'huit robots, deux minutes par cartouche',
    days: 'Par correspondance',
    daysText: 'quatre robots, trois jours par cartouche',
    alone: 'Essai',
    aloneText: 'un robot, sans limite de temps',
  },
  en: {
    duel: 'Duel',
    duelText: 'two robots, a minute a cartouche',
    four: 'Four of us',
    fourText: 'four robots, two minutes a cartouche',
    crowd: 'The scrum',
    crowdText: 'eight robots, two minutes a cartouche',
    days: 'By correspondence',
    daysText: 'four robots, three days a cartouche',
    alone: 'Practice',
    aloneText: 'one robot, no time limit',
  },
});

const race = (name: 'duel' | 'four' | 'crowd' | 'days', seats: number, seconds: number): Preset => ({
  name: () => words(name),
  text: () => words(`${name}Text`),
  variant: 'race',
  options: { seats, cartouche_seconds: seconds, localization_seconds: Math.max(60, seconds) },
});

export const presets: Preset[] = [
  race('duel', 2, 60),
  race('four', 4, 120),
  race('crowd', 8, 120),
  race('days', 4, 3 * 86_400),
  { name: () => words('alone'), text: () => words('aloneText'), variant: 'practice', options: { cartouche_seconds: 0, localization_seconds: 0 } },
];
