import { catalogue } from '../words/catalogue.svelte';

export const words = catalogue({
  fr: { hidden: 'Joueur anonyme' },
  en: { hidden: 'Anonymous player' },
});
