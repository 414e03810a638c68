/** Every screen of the page: its name, its path, and the file it is loaded from when it is first asked for. */

import { routes } from '../games';
import type { Route } from '../games/page';

export const screens: Route[] = [
  { name: 'home', pattern: '/', load: () => import('./home/Home.svelte') },
  { name: 'own-games', pattern: '/me', load: () => import('./mine/Mine.svelte') },
  { name: 'lobby', pattern: '/lobby', load: () => import('./lobby/Lobby.svelte') },
  { name: 'new-table', pattern: '/lobby/new', load: () => import('./lobby/NewTable.svelte') },
  { name: 'table', pattern: '/tables/:table', load: () => import('./table/TableScreen.svelte') },
  { name: 'change-table', pattern: '/tables/:table/change', load: () => import('./table/ChangeTable.svelte') },
  { name: 'replay', pattern: '/tables/:table/replay', load: () => import('./replay/Replay.svelte') },
  { name: 'tournaments', pattern: '/tournaments', load: () => import('./tournaments/Tournaments.svelte') },
  { name: 'new-tournament', pattern: '/tournaments/new', load: () => import('./tournaments/PlanScreen.svelte') },
  { name: 'tournament', pattern: '/tournaments/:tournament', load: () => import('./tournaments/TournamentScreen.svelte') },
  { name: 'change-tournament', pattern: '/tournaments/:tournament/change', load: () => import('./tournaments/PlanScreen.svelte') },
  { name: 'tournament-wall', pattern: '/tournaments/:tournament/wall', load: () => import('./tournaments/Wall.svelte') },
  { name: 'tournament-part', pattern: '/tournaments/:tournament/:part', load: () => import('./tournaments/TournamentScreen.svelte') },
  { name: 'championship', pattern: '/championships/:championship', load: () => import('./tournaments/Championship.svelte') },
  { name: 'player', pattern: '/players/:pseudo', load: () => import('./player/Player.svelte') },
  { name: 'ranking', pattern: '/ranking', load: () => import('./ranking/Ranking.svelte') },
  { name: 'friends', pattern: '/friends', load: () => import('./friends/Friends.svelte') },
  { name: 'messages', pattern: '/messages', load: () => import('./messages/Messages.svelte') },
  { name: 'notices', pattern: '/notices', load: () => import('./notices/Notices.svelte') },
  { name: 'rules', pattern: '/rules', load: () => import('./rules/Rules.svelte') },
  { name: 'rules-of-game', pattern: '/rules/:game', load: () => import('./rules/Rules.svelte') },
  ...routes,
  { name: 'sign-up', pattern: '/account/new', load: () => import('./account/SignUp.svelte') },
  { name: 'log-in', pattern: '/account/login', load: () => import('./account/LogIn.svelte') },
  { name: 'recovery', pattern: '/account/recovery', load: () => import('./account/Recovery.svelte') },
  { name: 'account', pattern: '/account', load: () => import('./account/Account.svelte') },
  { name: 'settings', pattern: '/settings', load: () => import('./settings/SettingsScreen.svelte') },
  { name: 'administration', pattern: '/admin', load: () => import('./admin/Administration.svelte') },
  { name: 'administration-part', pattern: '/admin/:part', load: () => import('./admin/Administration.svelte') },
  { name: 'administration-one', pattern: '/admin/:part/:id', load: () => import('./admin/Administration.svelte') },
  { name: 'lost', pattern: '/lost', load: () => import('./lost/Lost.svelte') },
];
