import { catalogue } from '../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    title: 'Rien ici',
    text: 'Cette adresse ne mène nulle part : la table a peut-être été rangée, ou le lien est incomplet.',
    home: 'Retour à l’accueil',
  },
  en: {
    title: 'Nothing here',
    text: 'This address leads nowhere: the table may have been closed, or the link is incomplete.',
    home: 'Back home',
  },
});
