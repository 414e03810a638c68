import { catalogue } from '../words/catalogue.svelte';

export const words = catalogue({
  fr: {
    margin: '{rating} ± {margin}',
    provisional: 'provisoire',
    provisionalText: 'Moins de dix parties classées : ce n’est qu’une première estimation.',
    chosen: 'partie amicale',
    anonymous: 'table anonyme',
    stopped: 'partie sans classement à la fin',
    members: 'trop peu de membres',
    not_member: 'réservé aux membres',
    chosenText: 'La table était choisie sans classement.',
    anonymousText: 'À une table anonyme, rien ne compte : une cote qui bouge dirait qui joue.',
    stoppedText: 'La partie s’est arrêtée sans un résultat à classer.',
    membersText: 'Une partie classée demande deux membres, ou quatre à partir de sept places ; visiteurs et robots ne comptent pas.',
    not_memberText: 'Seuls les membres ont une cote, et seulement entre eux.',
    changed: 'De {before} à {after}, contre les membres de la table.',
  },
  en: {
    margin: '{rating} ± {margin}',
    provisional: 'provisional',
    provisionalText: 'Fewer than ten rated games: this is only a first guess.',
    chosen: 'friendly game',
    anonymous: 'anonymous table',
    stopped: 'ended without a ranking',
    members: 'too few members',
    not_member: 'members only',
    chosenText: 'The table was chosen to be unrated.',
    anonymousText: 'At an anonymous table nothing counts: a rating that moves would tell who plays.',
    stoppedText: 'The game stopped without a result to rate.',
    membersText: 'A rated game needs two members, or four from seven seats on; visitors and robots do not count.',
    not_memberText: 'Only members are rated, and only against each other.',
    changed: 'From {before} to {after}, against the members at the table.',
  },
});

type Why = 'chosen' | 'anonymous' | 'stopped' | 'members' | 'not_member';

/** Why a game changed no rating, in a few words. */
export function unratedShort(why: string): string {
  return words(why as Why);
}

/** Why a game changed no rating, in a sentence. */
export function unratedText(why: string): string {
  return words(`${why as Why}Text`);
}
