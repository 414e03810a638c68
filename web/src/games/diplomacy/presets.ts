/** Games of Diplomacy ready to choose: an evening, a duel, a club's game by dates. */

import type { Preset } from '../page';
import { catalogue } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: {
    classic: 'La grande partie',
    classicText: 'sept puissances, sans pendule',
    evening: 'Une soirée sur la Lagune',
    eveningText: 'trois puissances, dix minutes par phase',
    duel: 'Duel du Détroit',
    duelText: 'deux puissances, cinq minutes par phase, huit ans au plus',
    club: 'Partie de club',
    clubText: 'sept puissances, deux jours pour les mouvements, un pour le reste, pas le week-end',
    short: 'Sept puissances en un soir',
    shortText: 'quinze minutes par phase, jusqu’en 1906',
  },
  en: {
    classic: 'The great game',
    classicText: 'seven powers, no clock',
    evening: 'An evening on the Lagoon',
    eveningText: 'three powers, ten minutes a phase',
    duel: 'Duel at the Strait',
    duelText: 'two powers, five minutes a phase, eight years at most',
    club: 'A club’s game',
    clubText: 'seven powers, two days for moves, one for the rest, not at weekends',
    short: 'Seven powers in a night',
    shortText: 'fifteen minutes a phase, until 1906',
  },
});

const UNTIMED = { minutes: 0, calendar: false, cycles: 99, sharing: 'fewer' };

export const presets: Preset[] = [
  { name: () => words('classic'), text: () => words('classicText'), variant: 'standard', options: UNTIMED },
  {
    name: () => words('short'),
    text: () => words('shortText'),
    variant: 'standard',
    options: { ...UNTIMED, minutes: 15, cycles: 6 },
  },
  {
    name: () => words('club'),
    text: () => words('clubText'),
    variant: 'standard',
    options: {
      ...UNTIMED, calendar: true, moves_days: 2, retreats_days: 1, adjustments_days: 1, weekends: false, grace: 24, sharing: 'none',
    },
  },
  {
    name: () => words('evening'),
    text: () => words('eveningText'),
    variant: 'lagune',
    options: { ...UNTIMED, minutes: 10 },
  },
  {
    name: () => words('duel'),
    text: () => words('duelText'),
    variant: 'detroit',
    options: { ...UNTIMED, minutes: 5, cycles: 8 },
  },
];
