/** What happened at one's table while one was away: it is shown once, before the board of now. */

import { gamePage } from '../../games';
import { get } from '../../house/api';
import type { Film, TableInfo } from '../../house/types';

const shown = (table: number) => `tablee-film-since-${table}`;

/** The step after which one has missed something; null where there is nothing, or where it was shown already. */
export async function missedSince(info: TableInfo, invitation: string | null): Promise<number | null> {
  const kind = (info.time_control as { kind?: string } | null)?.kind;
  const isLive = info.status === 'running' && (kind === 'move' || kind === 'budget' || gamePage(info.game).hasTurns === false);
  if (isLive || (info.status !== 'running' && info.status !== 'over')) return null;
  try {
    const { since } = await get<Film>(`/tables/${info.id}/film`, { as: 'seat', invitation });
    if (since == null || localStorage.getItem(shown(info.id)) === String(since)) return null;
    localStorage.setItem(shown(info.id), String(since));
    return since;
  } catch {
    return null; // The board of now is there without it.
  }
}
