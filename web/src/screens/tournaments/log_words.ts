/** The facts of a tournament's log, each in a sentence. */

import { catalogue } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: {
    created: 'Le tournoi est créé.',
    plan_changed: 'Les règles du tournoi sont changées.',
    announced: 'Le tournoi est annoncé ; les inscriptions sont ouvertes.',
    organiser_named: '{account} devient organisateur.',
    organiser_dismissed: '{account} n’est plus organisateur.',
    entered: '{account} s’inscrit.',
    enteredWaits: '{account} s’inscrit sur la liste d’attente.',
    moved_up: '{account} quitte la liste d’attente : une place s’est libérée.',
    left: '{account} retire son inscription.',
    began: 'Le tournoi commence.',
    went_away: '{account} ne jouera pas la ronde {round}.',
    came_back: '{account} sera là à la ronde {round}.',
    withdrawn: '{account} se retire à partir de la ronde {round}.',
    drafted: 'La ronde {round} est appariée, en projet.',
    draftedByHand: 'Le projet de la ronde {round} est changé à la main.',
    published: 'La ronde {round} est publiée.',
    publishedAgain: 'La ronde {round} est publiée de nouveau.',
    undone: 'La ronde {round} est annulée : {reason}',
    check_in_opened: 'L’appel est ouvert.',
    checked_in: '{account} est là.',
    substituted: '{account} remplace quelqu’un à la table {board}, ronde {round}.',
    substitutedWhy: '{account} remplace quelqu’un à la table {board}, ronde {round} : {reason}',
    result_set: 'Le résultat de la table {board}, ronde {round}, est fixé.',
    result_setWhy: 'Le résultat de la table {board}, ronde {round}, est fixé : {reason}',
    penalised: '{account} est pénalisé de {points} : {reason}',
    ended: 'Le tournoi est terminé.',
    cancelled: 'Le tournoi est annulé : {reason}',
  },
  en: {
    created: 'The tournament is made.',
    plan_changed: 'The rules of the tournament are changed.',
    announced: 'The tournament is announced; one may enter.',
    organiser_named: '{account} becomes an organiser.',
    organiser_dismissed: '{account} is no longer an organiser.',
    entered: '{account} enters.',
    enteredWaits: '{account} enters the waiting list.',
    moved_up: '{account} leaves the waiting list: a place is free.',
    left: '{account} takes the entry back.',
    began: 'The tournament begins.',
    went_away: '{account} will be away in round {round}.',
    came_back: '{account} will be there in round {round}.',
    withdrawn: '{account} withdraws from round {round} on.',
    drafted: 'Round {round} is paired, as a draft.',
    draftedByHand: 'The draft of round {round} is changed by hand.',
    published: 'Round {round} is published.',
    publishedAgain: 'Round {round} is published again.',
    undone: 'Round {round} is undone: {reason}',
    check_in_opened: 'The check-in is open.',
    checked_in: '{account} is here.',
    substituted: '{account} goes on for somebody at board {board}, round {round}.',
    substitutedWhy: '{account} goes on for somebody at board {board}, round {round}: {reason}',
    result_set: 'The result of board {board}, round {round}, is set.',
    result_setWhy: 'The result of board {board}, round {round}, is set: {reason}',
    penalised: '{account} is penalised by {points}: {reason}',
    ended: 'The tournament is over.',
    cancelled: 'The tournament is cancelled: {reason}',
  },
});

const KNOWN = [
  'created', 'plan_changed', 'announced', 'organiser_named', 'organiser_dismissed', 'entered', 'moved_up', 'left', 'began', 'went_away',
  'came_back', 'withdrawn', 'drafted', 'published', 'undone', 'result_set', 'penalised', 'check_in_opened', 'checked_in', 'substituted', 'ended', 'cancelled',
] as const;

/** Empty for a fact that is told elsewhere. */
export function factSaid(fact: Record<string, unknown>, name: (account: number) => string): string {
  const kind = KNOWN.find((each) => each === fact.is);
  if (!kind) return '';
  const key =
    kind === 'entered' && fact.waits ? 'enteredWaits'
    : kind === 'drafted' && fact.by_hand ? 'draftedByHand'
    : kind === 'published' && Number(fact.attempt) > 1 ? 'publishedAgain'
    : kind === 'substituted' && fact.reason ? 'substitutedWhy'
    : kind === 'result_set' && fact.reason ? 'result_setWhy'
    : kind;
  return words(key, {
    account: typeof fact.account === 'number' ? name(fact.account) : '',
    round: Number(fact.round ?? 0),
    board: Number(fact.board ?? 0),
    points: String(fact.points ?? ''),
    reason: String(fact.reason ?? ''),
  });
}
