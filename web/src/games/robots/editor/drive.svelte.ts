/** A test drive on the board of the desk: one robot, round after round, played by the house as in a race. */

import { post } from '../../../house/api';
import { sentence } from '../../../shell/toasts.svelte';
import { Composer } from '../composer.svelte';
import type { BoardDocument, FieldRobot, PathPoint, Spot } from '../field/board';
import { MOST_ENERGY, REGISTERS, type Register } from '../model';
import type { Bearing, RobotView, RobotsView, Spot as Start, Step } from '../types';
import { Playback } from '../playback.svelte';
import { filmed, posesOf, wayOf, type Pose } from '../timeline';

export const SEAT = 1;
const COLOR = '#FF0072B2';

interface Driven {
  registers: Step[][];
  swap: [number, number] | null;
  robots: Record<string, Bearing>;
}

export class Drive {
  readonly composer = new Composer();
  readonly playback = new Playback();
  robot = $state.raw<(RobotView & Bearing) | null>(null);
  round = $state(1);
  isBusy = $state(false);
  trouble = $state('');
  /** The pilot was asked and knew nothing to do. */
  isAtLoss = $state(false);

  /** Put the robot on a tile, fresh from the workshop. */
  put(x: number, y: number): void {
    const azimuth = this.robot?.azimuth ?? 'North';
    this.#begin({ x, y, azimuth });
  }

  /** Back to where it was put down. */
  again(): void {
    if (this.robot?.start) this.#begin(this.robot.start);
  }

  #begin(start: Start): void {
    this.robot = {
      ...start, start, energy: MOST_ENERGY, laws: 0, status: 'racing', name: '', color: COLOR, number: '01',
      rank: null, ready: false, away: false,
    };
    this.round = 1;
    this.trouble = '';
    this.isAtLoss = false;
    this.playback.load([], false);
    if (!this.composer.isBlank) this.composer.clear();
  }

  /** Try it as if it had come here another way: other azimuth, energy or laws. */
  set(changes: Partial<Pick<Bearing, 'azimuth' | 'energy' | 'laws'>>): void {
    if (!this.robot) return;
    const start = this.round === 1 && changes.azimuth ? { ...this.robot.start!, azimuth: changes.azimuth } : this.robot.start;
    this.robot = { ...this.robot, ...changes, start };
    this.playback.load([], false);
  }

  get capacity(): number {
    return Math.min(REGISTERS, (this.robot?.energy ?? MOST_ENERGY) + 2);
  }

  /** The race as the desk of a player would see it; null while no robot stands. */
  view(board: BoardDocument): RobotsView | null {
    if (!this.robot) return null;
    return {
      phase: 'programming', round: this.round, rounds: 0, until: null, boards: [board], names: [null], board: 0, laws: [],
      robots: { [SEAT]: this.robot }, order: Array<number[]>(REGISTERS).fill([SEAT]), you: null, before: {}, played: [],
      swap: null, ended: null, ranks: null,
    };
  }

  async play(board: BoardDocument, cartouche: Register[]): Promise<void> {
    const view = this.view(board);
    if (!view || this.isBusy) return;
    await this.#asking(async () => {
      const { x, y, azimuth, energy, laws, start, status } = this.robot!;
      const answer = await post<Driven>('/robots/drive', {
        boards: [board], board: 0, round: this.round,
        robots: { [SEAT]: { x, y, azimuth, energy, laws, start, status } }, cartouches: { [SEAT]: cartouche },
      });
      const played = answer.registers.map((steps, i) => ({ round: this.round, register: i + 1, steps }));
      this.playback.load(filmed(posesOf(view.robots), played, 0, null), true);
      this.robot = { ...this.robot!, ...answer.robots[SEAT] };
      this.round += 1;
      if (!this.composer.isBlank) this.composer.clear();
    });
  }

  /** Let the house's pilot compose the cartouche. */
  async suggest(board: BoardDocument): Promise<void> {
    if (!this.robot || this.isBusy) return;
    await this.#asking(async () => {
      const { x, y, azimuth, energy, laws, start } = this.robot!;
      const { cartouche } = await post<{ cartouche: Register[] }>('/robots/suggest', {
        boards: [board], board: 0, round: this.round, robot: { x, y, azimuth, energy, laws, start },
      });
      this.isAtLoss = cartouche.every((register) => register.length === 0);
      if (!this.isAtLoss) this.composer.take(cartouche);
    });
  }

  async #asking(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.trouble = '';
    this.isAtLoss = false;
    try {
      await work();
    } catch (error) {
      this.trouble = sentence(error);
    }
    this.isBusy = false;
  }

  /** The last round is being looked at, and not yet at its end. */
  get isPlayingBack(): boolean {
    return this.playback.scenes.length > 0 && !this.playback.isAtEnd;
  }

  /** How the robot stands in what is shown: in the film while there is one. */
  get shown(): Pose | null {
    return this.playback.scene?.poses[SEAT] ?? this.robot;
  }

  get robots(): FieldRobot[] {
    const shown = this.shown;
    return shown ? [{ seat: SEAT, color: COLOR, x: shown.x, y: shown.y, azimuth: shown.azimuth, isFaint: shown.status !== 'racing' }] : [];
  }

  /** Lasers that hit in the scene that is shown. */
  get firing(): Spot[] {
    return (this.playback.scene?.steps ?? []).flatMap(({ beam }) => (beam ? [{ x: beam[0], y: beam[1] }] : []));
  }

  /** Where the cartouche on the desk leads; nothing while a round is played back. */
  get path(): PathPoint[] {
    if (this.isPlayingBack || this.composer.isBlank) return [];
    return wayOf(this.composer.plan, SEAT);
  }

  close(): void {
    this.playback.stop();
    this.composer.close();
  }
}
