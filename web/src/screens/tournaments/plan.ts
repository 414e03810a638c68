/** The plan of a tournament as its form has it, and where in the form each of the house's faults belongs. */

import { Refusal } from '../../house/api';
import type { Plan, Variant } from '../../house/types';
import { words } from './plan_words';

export type PlanForm = Required<Pick<Plan, 'name' | 'description' | 'format' | 'rounds' | 'rated' | 'in_room' | 'double' | 'pairing' | 'seats' | 'fill' | 'best_of' | 'third_place' | 'seeding' | 'prize_places' | 'prize_roles' | 'top_board' | 'points' | 'best' | 'limit' | 'code' | 'rating' | 'timing' | 'pause' | 'no_show' | 'round_days' | 'concurrent'>> & {
  game: string;
  variant: string;
  ties: string[];
  robots: string[];
  point_list: string;
  /** As the browser's own field has them; empty is no bound. */
  opens_at: string;
  closes_at: string;
  /** The hours of the first rounds, in the same way. */
  starts: string[];
  /** In minutes; null is what is usual. */
  check_in: number | null;
  review: number | null;
};

export const USUAL: Omit<PlanForm, 'game' | 'variant'> = {
  name: '',
  description: '',
  format: 'swiss',
  rounds: 5,
  rated: true,
  in_room: false,
  double: false,
  pairing: 'dutch',
  seats: 0,
  fill: '',
  best_of: 1,
  third_place: true,
  seeding: 'rating',
  prize_places: 0,
  prize_roles: false,
  top_board: false,
  points: '',
  best: 0,
  limit: 0,
  code: '',
  rating: 0,
  ties: [],
  robots: [],
  point_list: '',
  opens_at: '',
  closes_at: '',
  timing: 'hand',
  starts: [],
  pause: 10,
  no_show: 10,
  round_days: 7,
  concurrent: false,
  check_in: null,
  review: null,
};

export const DUEL_TIES = ['buchholz_cut1', 'buchholz', 'direct', 'wins', 'sonneborn', 'performance'];
export const BOARD_TIES = ['best', 'solos', 'tops', 'centres', 'firsts'];
export const MOST_ROUNDS = { swiss: 15, boards: 38 } as const;

/** The formats in which a variant can be played: for two only where two can sit down to it. */
export function formatsOf(variant: Variant): Plan['format'][] {
  const [least, most] = [variant.seats_least ?? 1, variant.seats_most ?? 99];
  const isForTwo = least <= 2 && most >= 2;
  return [...(isForTwo ? (['swiss', 'round_robin', 'knockout'] as const) : []), ...(isForTwo && most === 2 ? [] : (['boards'] as const))];
}

/** The systems of points that a game brings: its own words say them. */
export function scoringsOf(variant: Variant): string[] {
  return Object.keys(variant.words.fr ?? {}).flatMap((key) => (key.startsWith('scoring.') ? [key.slice('scoring.'.length)] : []));
}

function instant(local: string): number {
  return local ? new Date(local).getTime() || 0 : 0;
}

/** An instant as the browser's own field wants it, in local time. */
export function local(at: number | undefined): string {
  if (!at) return '';
  const then = new Date(at);
  return new Date(at - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function pointList(text: string): number[] {
  return text.split(/[\s,;]+/).filter(Boolean).map(Number);
}

export function formOf(plan: Plan): PlanForm {
  const known = Object.fromEntries(Object.keys(USUAL).flatMap((key) => (key in plan ? [[key, plan[key as keyof Plan]]] : [])));
  return {
    ...USUAL,
    ...known,
    game: plan.game,
    variant: plan.variant,
    point_list: (plan.point_list ?? []).join(' '),
    opens_at: local(plan.opens_at),
    closes_at: local(plan.closes_at),
    starts: (plan.starts ?? []).map(local),
  } as PlanForm;
}

/** The plan to send: what does not belong to its format is left out, what the form does not show stays as it was. */
export function planOf(form: PlanForm, before: Plan | null, more: Pick<Plan, 'options' | 'time_control'>): Plan {
  const isDuel = form.format !== 'boards';
  const timing = form.in_room ? 'hand' : form.timing;
  return {
    ...before,
    ...more,
    name: form.name.trim(),
    description: form.description.trim(),
    game: form.game,
    variant: form.variant,
    format: form.format,
    rounds: form.format === 'swiss' || form.format === 'boards' ? form.rounds : 1,
    rated: form.rated,
    in_room: form.in_room,
    double: form.format === 'round_robin' && form.double,
    pairing: form.pairing,
    seats: isDuel ? 0 : form.seats,
    fill: isDuel || form.in_room ? '' : form.fill,
    best_of: form.format === 'knockout' ? form.best_of : 1,
    third_place: form.format === 'knockout' && form.third_place,
    seeding: form.seeding,
    prize_places: form.prize_places,
    prize_roles: form.prize_roles,
    top_board: !isDuel && form.top_board,
    points: form.points,
    point_list: form.points === 'list' ? pointList(form.point_list) : [],
    best: form.best,
    ties: form.format === 'knockout' ? [] : form.ties.filter(Boolean),
    limit: form.limit,
    opens_at: instant(form.opens_at),
    closes_at: instant(form.closes_at),
    code: form.code.trim(),
    rating: form.rating,
    robots: form.in_room ? [] : form.robots,
    timing,
    starts: timing === 'hand' ? [] : form.starts.map(instant).filter(Boolean),
    pause: form.pause,
    no_show: form.no_show,
    round_days: form.round_days,
    concurrent: mayBeConcurrent({ ...form, timing }) && form.concurrent,
    check_in: timing === 'live' ? form.check_in : null,
    review: timing === 'hand' ? null : form.review,
  };
}

/** Whether all rounds of this plan may be played side by side. */
export function mayBeConcurrent(form: Pick<PlanForm, 'format' | 'timing' | 'top_board'>): boolean {
  return form.timing === 'days' && form.format === 'boards' && !form.top_board;
}

export type PlanFaults = Record<string, string>;

/** What is wrong before the house is asked. */
export function faultsOf(form: PlanForm): PlanFaults {
  const found: PlanFaults = {};
  if (!form.name.trim()) found.name = words('nameAsked');
  if (form.format === 'swiss' || form.format === 'boards') {
    const [least, most] = [form.format === 'swiss' ? 2 : 1, MOST_ROUNDS[form.format]];
    if (!Number.isInteger(form.rounds) || form.rounds < least || form.rounds > most) found.rounds = words('roundsBad', { least, most });
  }
  const list = pointList(form.point_list);
  if (form.points === 'list' && (!list.length || list.some((each) => !Number.isInteger(each)))) found.point_list = words('pointListBad');
  if (form.closes_at && form.opens_at > form.closes_at) found.closes_at = words('datesBad');
  const starts = form.starts.map(instant).filter(Boolean);
  if (!form.in_room && form.timing === 'live' && !starts.length) found.starts = words('startAsked');
  else if (starts.some((at, i) => i > 0 && at <= starts[i - 1]!)) found.starts = words('startsBad');
  return found;
}

interface Fault {
  code: string;
  [part: string]: unknown;
}

/** The house's refusal, each fault at its field; `''` is for what has none. */
export function faultsIn(refused: Refusal): PlanFaults {
  if (refused.code === 'name_taken') return { name: refused.message };
  if (refused.code !== 'bad_plan') {
    const field = /^\$\.(\w+)/.exec(String(refused.detail.parts.at ?? ''))?.[1] ?? '';
    return { [field in USUAL ? field : '']: refused.message };
  }
  const found: PlanFaults = {};
  for (const fault of (refused.detail.parts.faults ?? []) as Fault[]) {
    switch (fault.code) {
      case 'format_unfit':
        found.format = words('faultFormat');
        break;
      case 'unknown_points':
        found.points = words('faultPoints');
        break;
      case 'no_point_list':
        found.point_list = words('pointListBad');
        break;
      case 'unknown_tie':
        found.ties = words('faultTie', { tie: String(fault.tie) });
        break;
      case 'bad_rounds':
        found.rounds = words('roundsBad', { least: Number(fault.least), most: Number(fault.most) });
        break;
      case 'bad_dates':
        found.closes_at = words('datesBad');
        break;
      case 'no_start':
        found.starts = words('startAsked');
        break;
      case 'bad_starts':
        found.starts = words('startsBad');
        break;
      case 'no_cycles':
        found.options = words('faultCycles');
        break;
      case 'unknown_robot':
      case 'robots_twice':
        found.robotPlayers = words('faultRobots');
        break;
      case 'robots_in_room':
        found.robotPlayers = words('faultRobotsInRoom');
        break;
      case 'bad_options':
        found.options = words('faultOptions', { reason: String(fault.reason) });
        break;
      default:
        found[''] = refused.message;
    }
  }
  return found;
}
