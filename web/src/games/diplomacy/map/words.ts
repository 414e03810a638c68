/** What the map says. */

import { catalogue } from '../../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    map: 'Carte',
    help: 'Molette, pincement, + et − : agrandir ou réduire. Glisser ou flèches : déplacer. 0 : toute la carte. Quand toute la carte est visible, la molette vers le bas fait défiler la page.',
    closer: 'Agrandir',
    farther: 'Réduire',
    whole: 'Toute la carte',
    army: 'armée',
    fleet: 'flotte',
    unitAt: '{region}, {kind} : {power}',
    dislodgedAt: '{region}, {kind} délogée : {power}',
    free: '{region}',
    chosen: '{zone} (choisi)',
    forbidden: 'Retraite impossible ici',
  },
  en: {
    map: 'Map',
    help: 'Wheel, pinch, + and −: larger or smaller. Drag or arrows: move. 0: the whole map. When all of the map is seen, turning the wheel down scrolls the page.',
    closer: 'Larger',
    farther: 'Smaller',
    whole: 'The whole map',
    army: 'army',
    fleet: 'fleet',
    unitAt: '{region}, {kind}: {power}',
    dislodgedAt: '{region}, dislodged {kind}: {power}',
    free: '{region}',
    chosen: '{zone} (chosen)',
    forbidden: 'No retreat here',
  },
});
