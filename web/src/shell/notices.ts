/** What a notice says, and where it leads. */

import { house } from '../house/house.svelte';
import type { Notice } from '../house/types';
import { colon, moment } from '../words/catalogue.svelte';
import { words } from './notice_words';
import { verdict } from './verdict';

interface Told {
  text: string;
  href: string | null;
}

type About = Record<string, string | number | undefined>;

const CLOSING: Record<string, 'closingSoonUnattended' | 'closingSoonNeverBegun' | 'closingSoonDeserted'> = {
  never_begun: 'closingSoonNeverBegun',
  deserted: 'closingSoonDeserted',
};

const OF_A_TOURNAMENT = {
  entered: 'tournamentEntered',
  waiting: 'tournamentWaiting',
  moved_up: 'tournamentMovedUp',
  paired: 'tournamentPaired',
  bye: 'tournamentBye',
  result_set: 'tournamentResultSet',
  cancelled: 'tournamentCancelled',
  check_in: 'tournamentCheckIn',
  forfeited: 'tournamentForfeited',
  substituted: 'tournamentSubstituted',
  board_left: 'tournamentBoardLeft',
  round_overdue: 'tournamentRoundOverdue',
  stuck: 'tournamentStuck',
} as const;

function ofTournament(about: About): string {
  const name = String(about.name);
  if (about.what === 'place') return words('tournamentPlace', { name, n: Number(about.place) });
  if (about.what === 'paired' && about.plays) {
    const plays = house.word(String(about.game), String(about.variant), String(about.plays));
    if (plays !== about.plays) return words('tournamentPairedAs', { name, round: Number(about.round), board: Number(about.board), plays });
  }
  const key = OF_A_TOURNAMENT[about.what as keyof typeof OF_A_TOURNAMENT] ?? 'tournamentEntered';
  return words(key, { name, round: Number(about.round), board: Number(about.board), reason: String(about.reason) });
}

const KINDS: Record<string, (about: About) => Told> = {
  game_over: (about) => ({
    text: words('gameOver', { game: game(about), how: ending(about) }),
    href: `/tables/${about.table}`,
  }),
  invitation: (about) => {
    const text = about.by_name
      ? words('invitation', { name: about.by_name, table: about.name, game: game(about) })
      : words('invitationFromSomebody', { game: game(about) });
    return { text, href: `/tables/${about.table}` };
  },
  orders_corrected: (about) => ({
    text: words('ordersCorrected', { game: String(about.game) }),
    href: `/tables/${about.table}`,
  }),
  declaration: (about) => ({
    text: words('declaration', { game: String(about.game) }),
    href: `/tables/${about.table}`,
  }),
  letter: (about) => ({
    text: words('letter', { game: String(about.game) }),
    href: `/tables/${about.table}`,
  }),
  closing_soon: (about) => ({
    text: words(CLOSING[String(about.reason)] ?? 'closingSoonUnattended', {
      table: String(about.name),
      game: game(about),
      when: moment(Number(about.at)),
    }),
    href: `/tables/${about.table}`,
  }),
  table_swept: (about) => ({
    text: words(about.reason === 'never_begun' ? 'sweptNeverBegun' : 'sweptDeserted', {
      table: String(about.name),
      game: game(about),
    }),
    href: `/tables/${about.table}`,
  }),
  stand_in: (about) => ({ text: words('standIn', { table: String(about.name), game: game(about) }), href: `/tables/${about.table}` }),
  webhook_paused: (about) => ({
    text: words('webhookPaused', { name: String(about.name) }),
    href: about.table ? `/tables/${about.table}` : '/admin/webhooks',
  }),
  tournament: (about) => ({ text: ofTournament(about), href: about.table ? `/tables/${about.table}` : `/tournaments/${about.tournament}` }),
  seated: (about) => ({ text: words('seated', { game: String(about.game) }), href: `/tables/${about.table}` }),
  acting: (about) => ({ text: words('acting', { name: String(about.by) }), href: null }),
  session_stolen: (about) => ({
    text: words('sessionStolen', { label: String(about.label || words('browser')) }),
    href: '/account',
  }),
  role: (about) => {
    if (about.role === 'administrator') return { text: words('roleAdministrator'), href: '/admin' };
    if (about.role === 'super') return { text: words('roleSuper'), href: '/admin' };
    return { text: words('rolePlayer'), href: null };
  },
  friend_request: (about) => ({ text: words('friendRequest', { name: String(about.from) }), href: '/friends' }),
  challenge: (about) => ({
    text: words('challenge', { name: String(about.from), game: game(about) }),
    href: '/friends',
  }),
  challenge_accepted: (about) => ({
    text: words('challengeAccepted', { name: String(about.from), game: game(about) }),
    href: `/tables/${about.table}`,
  }),
  challenge_refused: (about) => ({
    text: words('challengeRefused', { name: String(about.from), game: game(about) }),
    href: null,
  }),
  rematch: (about) => ({
    text: words('rematch', { name: String(about.from), game: game(about) }),
    href: `/tables/${about.of}`,
  }),
  rematch_accepted: (about) => ({
    text: words('rematchAccepted', { name: String(about.from), game: game(about) }),
    href: `/tables/${about.table}`,
  }),
  friend_accepted: (about) => ({
    text: words('friendAccepted', { name: String(about.from) }),
    href: `/players/${encodeURIComponent(String(about.from))}`,
  }),
};

export function told(notice: Notice): Told {
  const about = (notice.about ?? {}) as About;
  return KINDS[notice.kind]?.(about) ?? { text: words('other', { kind: notice.kind }), href: null };
}

/** « Échec et mat : vous avez gagné »; a notice of long ago knows the rank alone. */
function ending(about: About): string {
  if (about.of === undefined) return words('rank', { n: Number(about.rank) });
  const placed = verdict({ rank: Number(about.rank), of: Number(about.of), tied: Number(about.tied), decided: Boolean(about.decided) });
  const said = house.word(String(about.game), String(about.variant), `result.${about.reason}`);
  const reason = said.startsWith('result.') ? '' : said.replace(/\.$/, '');
  return [reason, placed].filter(Boolean).join(colon()) || words('rank', { n: Number(about.rank) });
}

function game(about: About): string {
  return house.variantName(String(about.game), String(about.variant));
}
