/** A round as a film: from its steps, where every robot is in each scene. Pure, and the same live as in a replay. */

import type { PathPoint } from './field/board';
import type { Stage, Status } from './model';
import type { Bearing, PlayedRegister, RobotView, Step } from './types';

/** How a robot stands; one that has left stands too. Before it has a place it stands nowhere: see `isOnBoard`. */
export type Pose = Omit<Bearing, 'status'> & { status: Status };
export type Poses = Record<string, Pose>;

export interface Scene {
  round: number;
  /** 1 to 5; 0 before the first. */
  register: number;
  stage: Stage | 'start' | 'swap';
  poses: Poses;
  /** What happens in it: for the lines of text. */
  steps: Step[];
  /** The board on which it plays. */
  board: number;
}

const GAINED: Record<string, number> = { Enrichment_LawOne: 1, Enrichment_LawTwo: 2, Enrichment_LawThree: 3 };

export function posesOf(robots: Record<string, RobotView | Bearing>): Poses {
  return Object.fromEntries(
    Object.entries(robots).map(([seat, { x, y, azimuth, energy, laws, status }]) => [seat, { x, y, azimuth, energy, laws, status }]),
  ) as Poses;
}

function after(pose: Pose, { x, y, azimuth, energy, code }: Step): Pose {
  return { x, y, azimuth, energy, laws: GAINED[code] ?? pose.laws, status: statusAfter(pose.status, code) };
}

function statusAfter(status: Status, code: string): Status {
  if (code === 'Enrichment_Frozen') return 'frozen';
  if (code === 'Enrichment_QuestAchieved' || code === 'Enrichment_Victory') return 'finished';
  return code === 'Enrichment_WakeUp' ? 'racing' : status;
}

/** The scenes of what was played: the first is before anything has moved, the last is after everything. */
export function filmed(before: Poses, played: PlayedRegister[], board: number, swap: [number, number] | null): Scene[] {
  const first = played[0];
  if (!first) return [];
  let poses = before;
  const scenes: Scene[] = [{ round: first.round, register: 0, stage: 'start', poses, steps: [], board }];
  for (const { round, register, steps } of played) {
    for (const together of grouped(steps)) {
      poses = { ...poses };
      for (const step of together) {
        const pose = poses[step.seat];
        if (pose) poses[step.seat] = after(pose, step);
      }
      scenes.push({ round, register, stage: together[0]!.stage, poses, steps: together, board });
    }
  }
  const last = played.at(-1)!;
  if (swap) scenes.push({ round: last.round, register: last.register, stage: 'swap', poses, steps: [], board: swap[1] });
  return scenes;
}

/** Steps of one stage with the same number happen together. */
function grouped(steps: Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1)?.[0];
    if (last && last.group === step.group && last.stage === step.stage) groups.at(-1)!.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Where one robot comes by, with the number of a register where that one ends: the way that is drawn. */
export function wayOf(scenes: Scene[], seat: number): PathPoint[] {
  const points: PathPoint[] = [];
  let hasActed = false;
  for (const [i, { poses, register, steps }] of scenes.entries()) {
    const pose = poses[seat];
    if (!pose || pose.status === 'frozen') break;
    const last = points.at(-1);
    if (!last || last.x !== pose.x || last.y !== pose.y) points.push({ x: pose.x, y: pose.y });
    hasActed ||= steps.some((step) => step.seat === seat);
    if (register === 0 || scenes[i + 1]?.register === register) continue;
    if (hasActed) points.push({ ...points.pop()!, register }, ...(i + 1 < scenes.length ? [{ x: pose.x, y: pose.y }] : []));
    hasActed = false;
  }
  return points;
}
