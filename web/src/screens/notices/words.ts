import { catalogue } from '../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    title: 'Avis',
    nobody: 'Les avis sont pour qui est entré dans la maison. Jouez une partie, ou connectez-vous.',
    failed: 'Les avis n’ont pas pu être chargés.',
    none: 'Aucun avis. Vous serez prévenu ici des invitations, des demandes d’amitié et des fins de partie.',
    lobby: 'Aller au salon',
    readAll: 'Tout marquer comme lu',
    read: 'Marquer comme lu',
    readLabel: 'Marquer comme lu : {text}',
    unread: 'non lu',
    more: 'Voir plus',
  },
  en: {
    title: 'Notices',
    nobody: 'There are no notices for strangers. Play a game, or log in.',
    failed: 'The notices could not be loaded.',
    none: 'No notices. You will be told here about invitations, friend requests and games that end.',
    lobby: 'Go to the lobby',
    readAll: 'Mark all as read',
    read: 'Mark as read',
    readLabel: 'Mark as read: {text}',
    unread: 'unread',
    more: 'Show more',
  },
});
