import { catalogue } from '../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    gameOver: { one: 'Partie terminée : {game}. Vous êtes premier.', other: 'Partie terminée : {game}. Vous êtes au rang {n}.' },
    invitation: '{name} vous invite à la table « {table} » : {game}.',
    invitationFromSomebody: 'On vous invite à une table : {game}.',
    acting: 'L’administrateur {name} a agi en votre nom.',
    sessionStolen: 'Une session ({label}) a été close par précaution : son jeton a servi deux fois. Si ce n’était pas vous, changez de mot de passe.',
    roleAdministrator: 'Vous êtes maintenant administrateur de la maison.',
    roleSuper: 'La maison est maintenant la vôtre : vous en êtes responsable.',
    rolePlayer: 'Vous n’êtes plus administrateur.',
    friendRequest: '{name} demande à être votre ami.',
    friendAccepted: '{name} a accepté votre demande : vous êtes amis.',
    other: 'Un avis de la maison ({kind}).',
    browser: 'un navigateur',
    message: '{name} : {text}',
  },
  en: {
    gameOver: { one: 'Game over: {game}. You came first.', other: 'Game over: {game}. You came in at rank {n}.' },
    invitation: '{name} invites you to the table “{table}”: {game}.',
    invitationFromSomebody: 'You are invited to a table: {game}.',
    acting: 'The administrator {name} acted in your name.',
    sessionStolen: 'A session ({label}) was closed to be safe: its token was used twice. If that was not you, change your password.',
    roleAdministrator: 'You are now an administrator of the house.',
    roleSuper: 'The house is yours now: you are at its head.',
    rolePlayer: 'You are no longer an administrator.',
    friendRequest: '{name} would like to be your friend.',
    friendAccepted: '{name} has accepted your request: you are friends.',
    other: 'A notice of the house ({kind}).',
    browser: 'a browser',
    message: '{name}: {text}',
  },
});
