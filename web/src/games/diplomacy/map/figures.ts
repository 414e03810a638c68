/** Orders as figures: what is drawn for each, in units of the map. */

import type { GameMap } from '../../../house/types';
import { Act, regionOf, unitsByRegion, type Drawn } from '../model';
import type { SituationView } from '../types';
import {
  arrives, at, curve, heading, leaves, nearest, path, piece, pointOf, straight, waves, type Curve,
} from './curves';
import { besides, standing, type Spot } from './places';

/** One order as it is drawn; what it has not is empty. */
export interface Figure {
  key: string;
  role: number;
  act: number;
  zone: number;
  look: Drawn['look'];
  /** The shaft, a second shaft of faint dots for what was not reached, and a guess at somebody's path. */
  line: string;
  rest: string;
  guess: string;
  head: string;
  /** Where it went wrong: a bar across, or a cross. */
  stop: string;
  /** About a unit that holds or is held. */
  ring: string;
  /** Over a unit that goes away. */
  cross: string;
  /** Where a line ends at another. */
  knot: Spot | null;
  /** The unit that is built, and where its plus is. */
  built: { kind: number; spot: Spot; plus: string } | null;
}

const OVAL = { wide: 19, high: 14 };
const FAILED_AT = 0.66;

/** All orders as figures, for pieces of this size. */
export function figures(map: GameMap, situation: SituationView, drawn: readonly Drawn[], size: number): Figure[] {
  const units = unitsByRegion(map, situation);
  const where = (zone: number): Spot => standing(map, units.get(regionOf(map, zone))?.zone ?? zone);
  const moves = new Map<number, { curve: Curve; to: number }>();
  for (const { order } of drawn) {
    const [, act, zone, , destination] = order;
    if (act === Act.move)
      moves.set(regionOf(map, zone), { curve: curve(where(zone), standing(map, destination)), to: regionOf(map, destination) });
  }
  const leaned = new Map<number, number>();
  const isTaken = (zone: number): boolean => units.has(regionOf(map, zone));
  return drawn.map((each, index) => one(each, index));

  function one(each: Drawn, index: number): Figure {
    const [role, act, zone, passive, destination, , kind] = each.order;
    const figure: Figure = {
      key: `${index}-${each.order.join('.')}`, role, act, zone, look: each.look,
      line: '', rest: '', guess: '', head: '', stop: '', ring: '', cross: '', knot: null, built: null,
    };
    const isFailed = each.look === 'failed';
    switch (act) {
      case Act.move:
        arrow(figure, moves.get(regionOf(map, zone))!.curve, isTaken(destination), isFailed, size);
        break;
      case Act.retreat:
        arrow(figure, curve(besides(map, zone), standing(map, destination)), false, isFailed, size);
        break;
      case Act.supportMove:
      case Act.convoy: {
        const moved = moves.get(regionOf(map, passive));
        const isSame = moved?.to === regionOf(map, destination);
        const way = isSame ? moved.curve : curve(where(passive), standing(map, destination));
        if (!isSame) figure.guess = path(trimmed(way, isTaken(destination), size));
        lean(figure, where(zone), way, regionOf(map, passive), isFailed);
        break;
      }
      case Act.supportHold: {
        const way = curve(where(zone), where(passive));
        const line = piece(way, leaves(way, OVAL.wide * size, OVAL.high * size), arrives(way, 21 * size, 16 * size));
        figure.ring = ring(where(passive), size * 1.08);
        figure.line = path(line);
        if (isFailed) figure.stop = crossAt(pointOf(line, 0.55), 6 * size);
        break;
      }
      case Act.hold:
        figure.ring = ring(where(zone), size);
        if (isFailed) figure.stop = crossAt({ x: where(zone).x + 18 * size, y: where(zone).y - 12 * size }, 5 * size);
        break;
      case Act.disband:
        figure.cross = over(besides(map, zone), size);
        break;
      case Act.remove:
        figure.cross = over(where(zone), size);
        break;
      case Act.build: {
        const spot = standing(map, zone);
        figure.built = { kind: kind || each.kind || 1, spot, plus: plus({ x: spot.x + 16 * size, y: spot.y - 10 * size }, 5 * size) };
        if (isFailed) figure.cross = over(spot, size);
      }
    }
    return figure;
  }

  /** A line from a unit that helps to the path of the one that it helps. */
  function lean(figure: Figure, from: Spot, way: Curve, helped: number, isFailed: boolean): void {
    const isConvoy = figure.act === Act.convoy;
    const count = leaned.get(helped) ?? 0;
    const spread = [0.5, 0.4, 0.6, 0.33, 0.67][count % 5]!;
    if (!isConvoy) leaned.set(helped, count + 1);
    const end = pointOf(way, isConvoy ? nearest(way, from) : spread);
    const line = isConvoy ? straight(from, end) : curve(from, end);
    const away = Math.hypot(end.x - from.x, end.y - from.y);
    figure.knot = end;
    if (away > 24 * size) {
      const shown = piece(line, leaves(line, OVAL.wide * size, OVAL.high * size), 1);
      figure.line = isConvoy ? waves(shown, 9 * size, 5.5 * size) : path(shown);
      if (isFailed) figure.stop = crossAt(pointOf(shown, 0.5), 6 * size);
    } else {
      figure.ring = ring(from, size);
      figure.knot = null;
      if (isFailed) figure.stop = crossAt({ x: from.x + 18 * size, y: from.y - 12 * size }, 5 * size);
    }
  }
}

/** A line as it shows between the pieces at its ends. */
function trimmed(way: Curve, isTaken: boolean, size: number): Curve {
  const last = isTaken ? arrives(way, (OVAL.wide + 1) * size, (OVAL.high + 1) * size) : arrives(way, 5 * size, 5 * size);
  return piece(way, leaves(way, OVAL.wide * size, OVAL.high * size), last);
}

function arrow(figure: Figure, way: Curve, isTaken: boolean, isFailed: boolean, size: number): void {
  const shown = trimmed(way, isTaken, size);
  if (isFailed) {
    const ended = pointOf(shown, FAILED_AT);
    figure.line = path(piece(shown, 0, FAILED_AT));
    figure.rest = path(piece(shown, FAILED_AT, 1));
    figure.stop = barAt(ended, heading(shown, FAILED_AT), 8.5 * size);
    return;
  }
  const long = 13 * size;
  const neck = arrives(shown, long * 0.8, long * 0.8);
  figure.line = path(piece(shown, 0, neck));
  figure.head = headAt(shown.to, heading(shown, 0.5 + neck / 2), long, 6.6 * size);
}

function headAt(tip: Spot, ahead: Spot, long: number, half: number): string {
  const foot = { x: tip.x - ahead.x * long, y: tip.y - ahead.y * long };
  const notch = { x: tip.x - ahead.x * long * 0.72, y: tip.y - ahead.y * long * 0.72 };
  const [left, right] = [1, -1].map((side) => ({ x: foot.x - ahead.y * half * side, y: foot.y + ahead.x * half * side }));
  return `M${at(tip)}L${at(left!)}L${at(notch)}L${at(right!)}Z`;
}

function barAt(place: Spot, ahead: Spot, half: number): string {
  const side = (sign: number): Spot => ({ x: place.x - ahead.y * half * sign, y: place.y + ahead.x * half * sign });
  return `M${at(side(1))}L${at(side(-1))}`;
}

function crossAt({ x, y }: Spot, half: number): string {
  return `M${at({ x: x - half, y: y - half })}L${at({ x: x + half, y: y + half })}M${at({ x: x + half, y: y - half })}L${at({ x: x - half, y: y + half })}`;
}

function plus({ x, y }: Spot, half: number): string {
  return `M${at({ x: x - half, y })}L${at({ x: x + half, y })}M${at({ x, y: y - half })}L${at({ x, y: y + half })}`;
}

/** A cross as large as a piece. */
function over({ x, y }: Spot, size: number): string {
  const [wide, high] = [16 * size, 11 * size];
  return `M${at({ x: x - wide, y: y - high })}L${at({ x: x + wide, y: y + high })}M${at({ x: x + wide, y: y - high })}L${at({ x: x - wide, y: y + high })}`;
}

function ring({ x, y }: Spot, size: number): string {
  const [wide, high, round] = [19 * size, 13.5 * size, 5 * size];
  const n = (value: number): number => Math.round(value * 10) / 10;
  const [w, h, r] = [n(2 * (wide - round)), n(2 * (high - round)), n(round)];
  return [
    `M${at({ x: x - wide + round, y: y - high })}`,
    `h${w}q${r} 0 ${r} ${r}v${h}q0 ${r} ${-r} ${r}`,
    `h${-w}q${-r} 0 ${-r} ${-r}v${-h}q0 ${-r} ${r} ${-r}Z`,
  ].join('');
}
