import { catalogue } from '../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    master: 'Arbitre',
    role: 'Rôle {n}',
  },
  en: {
    master: 'Master',
    role: 'Role {n}',
  },
});
