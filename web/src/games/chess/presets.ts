/** Games of chess ready to choose, by how long one thinks. */

import type { Preset } from '../page';
import { catalogue } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: {
    blitz: '5 + 3',
    blitzText: 'cinq minutes, trois secondes par coup',
    rapid: '10 + 0',
    rapidText: 'dix minutes',
    calm: '15 + 10',
    calmText: 'un quart d’heure, dix secondes par coup',
    long: '45 + 0',
    longText: 'trois quarts d’heure',
    days: 'Par correspondance',
    daysText: 'trois jours par coup',
    friends: 'Entre amis',
    friendsText: 'table privée, sans pendule ni forfait',
  },
  en: {
    blitz: '5 + 3',
    blitzText: 'five minutes, three seconds a move',
    rapid: '10 + 0',
    rapidText: 'ten minutes',
    calm: '15 + 10',
    calmText: 'a quarter of an hour, ten seconds a move',
    long: '45 + 0',
    longText: 'three quarters of an hour',
    days: 'By correspondence',
    daysText: 'three days a move',
    friends: 'Among friends',
    friendsText: 'a private table, no clock, no forfeit',
  },
});

const live = (name: 'blitz' | 'rapid' | 'calm' | 'long', minutes: number, increment: number): Preset => ({
  name: () => words(name),
  text: () => words(`${name}Text`),
  options: { pace: 'live' },
  time: { kind: 'budget', seconds: 60 * minutes, increment },
});

export const presets: Preset[] = [
  live('blitz', 5, 3),
  live('rapid', 10, 0),
  live('calm', 15, 10),
  live('long', 45, 0),
  {
    name: () => words('days'),
    text: () => words('daysText'),
    options: { pace: 'days' },
    time: { kind: 'days', days: 3, weekends: true },
  },
  {
    name: () => words('friends'),
    text: () => words('friendsText'),
    options: { pace: 'days' },
    time: { kind: 'none' },
    access: 'private',
  },
];
