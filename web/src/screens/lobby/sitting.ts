/** The short ways to a table: against a robot at once, or with whoever comes next. */

import { post } from '../../house/api';
import type { TimeControl } from '../../house/lobby.svelte';
import { queue } from '../../house/queue.svelte';
import { session } from '../../house/session.svelte';
import type { NewTable, TableInfo } from '../../house/types';
import { gamePage } from '../../games';
import { alerts } from '../../shell/alerts.svelte';
import { router } from '../../shell/router.svelte';
import { toasts } from '../../shell/toasts.svelte';
import { words } from './words';

/** What one has chosen for a game; null is as usual. */
export interface Choice {
  time?: TimeControl | null;
  side?: string | null;
  strength?: string | null;
  rated?: boolean;
}

/** Sit down against a robot, with nothing at stake and without a clock unless one is chosen; as a visitor where one is nobody yet. */
export function playAtOnce(game: string, choice: Choice = {}): Promise<boolean> {
  return toasts.attempt(async () => {
    const { variant, options, robots, seats, time } = gamePage(game).atOnce;
    await session.orVisitor();
    const control = choice.time ?? time;
    const table: NewTable = {
      game, variant, options,
      robots: choice.strength ? robots.map(() => choice.strength!) : robots,
      rated: false,
      ...(seats ? { seats } : {}),
      ...(control ? { time_control: { ...control } } : {}),
      ...(choice.side ? { side: choice.side } : {}),
    };
    const { id } = await post<TableInfo>('/tables', table);
    router.go(`/tables/${id}`);
  });
}

/** Wait for the next person who wants to play this. */
export function playNextPerson(game: string, choice: Choice = {}): Promise<boolean> {
  const { atOnce, together } = gamePage(game);
  return toasts.attempt(() =>
    queue.enter({
      game, variant: atOnce.variant, options: together ?? atOnce.options, players: 2,
      rated: choice.rated ?? session.isMember,
      ...(choice.time ? { time_control: { ...choice.time } } : {}),
      ...(choice.side ? { side: choice.side } : {}),
    }),
  );
}

queue.onEnd = (table) => {
  if (table === null) {
    toasts.say(words('placeLost'), 'news');
    return;
  }
  alerts.play('turn');
  if (document.visibilityState === 'hidden') alerts.notify(words('found'), `/tables/${table}`);
  // Who sits at another board is not torn away from it.
  if (router.place.path.startsWith('/tables/')) toasts.say(words('found'), 'news', `/tables/${table}`);
  else router.go(`/tables/${table}`);
};
