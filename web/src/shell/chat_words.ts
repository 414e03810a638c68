import { catalogue } from '../words/catalogue.svelte';

export const chatWords = catalogue({
  fr: {
    loading: 'Un instant…',
    messages: 'Messages',
    nothing: 'Personne n’a encore rien dit.',
    earlier: 'Messages plus anciens',
    yourMessage: 'Votre message',
    send: 'Envoyer',
    notSent: 'Le message n’est pas parti. Réessayez dans un instant.',
    onItsWay: 'La connexion est perdue : le message partira dès qu’elle revient.',
    takeAway: 'Retirer ce message de {name}',
    taken: 'Message retiré.',
  },
  en: {
    loading: 'One moment…',
    messages: 'Messages',
    nothing: 'Nobody has said anything yet.',
    earlier: 'Earlier messages',
    yourMessage: 'Your message',
    send: 'Send',
    notSent: 'The message was not sent. Try again in a moment.',
    onItsWay: 'The connection is lost: the message goes as soon as it is back.',
    takeAway: 'Remove this message of {name}',
    taken: 'Message removed.',
  },
});
