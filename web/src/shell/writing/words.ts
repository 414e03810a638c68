import { catalogue } from '../../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    you: 'Vous',
    field: 'Votre message',
    hint: 'Entrée envoie, Maj + Entrée va à la ligne.',
    hintLong: 'Entrée va à la ligne, Ctrl + Entrée envoie.',
    left: { one: 'Encore {n} caractère', other: 'Encore {n} caractères' },
    tooLong: { one: '{n} caractère de trop', other: '{n} caractères de trop' },
    send: 'Envoyer',
    sending: 'Envoi…',
    notSent: 'Le message n’est pas parti : {why} Votre texte est toujours là.',
    onItsWay: 'La connexion est perdue : le message partira dès qu’elle revient.',
    today: 'Aujourd’hui',
    yesterday: 'Hier',
  },
  en: {
    you: 'You',
    field: 'Your message',
    hint: 'Enter sends, Shift + Enter begins a new line.',
    hintLong: 'Enter begins a new line, Ctrl + Enter sends.',
    left: { one: '{n} character left', other: '{n} characters left' },
    tooLong: { one: '{n} character too many', other: '{n} characters too many' },
    send: 'Send',
    sending: 'Sending…',
    notSent: 'The message was not sent: {why} Your text is still there.',
    onItsWay: 'The connection is lost: the message goes as soon as it is back.',
    today: 'Today',
    yesterday: 'Yesterday',
  },
});
