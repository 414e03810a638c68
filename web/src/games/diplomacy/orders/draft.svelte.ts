/** One set of orders for a phase, that the map, the lists and the text all change. */

import type { GameMap } from '../../../house/types';
import { language } from '../../../words/catalogue.svelte';
import { Act, Phase, regionOf, type Drawn } from '../model';
import type { Order, SituationView } from '../types';
import { isRetreats, Notation } from './text';
import { words } from './words';

/** Legal orders by the zone of the unit or the region to build in; how many adjustments by role. */
export interface LegalSet {
  orders: Record<string, Order[]>;
  most: Record<string, number>;
}

/** Something to choose at this step, beside a place of the map. */
export interface Choice {
  text: string;
  order: Order;
}

const HELPS: readonly number[] = [Act.supportMove, Act.supportHold, Act.convoy];

export function sameOrder(one: Order, other: Order): boolean {
  return one.every((number, at) => Number(number) === Number(other[at]));
}

/** Whether two sets order the same, in whatever sequence. */
export function sameOrders(ones: readonly Order[], others: readonly Order[]): boolean {
  return ones.length === others.length && ones.every((one) => others.some((other) => sameOrder(one, other)));
}

export class Draft {
  /** By the region of the unit. */
  #orders = $state.raw<ReadonlyMap<number, Order>>(new Map());
  /** What is wrong with what was last wanted of a unit, in words, by its region. */
  faults = $state.raw<ReadonlyMap<number, string>>(new Map());
  /** The step: which unit, what it does, with whom, and where to, as far as that is said. */
  unit = $state<number | null>(null);
  act = $state<number | null>(null);
  passive = $state<number | null>(null);
  destination = $state<number | null>(null);
  /** The army that was last sent over the sea. */
  #shipped = $state<number | null>(null);

  readonly #legal = new Map<number, Order[]>();
  readonly notation: Notation = $derived.by(() => new Notation(this.map, this.situation, this.advancement, language()));

  constructor(
    readonly map: GameMap,
    readonly situation: SituationView,
    readonly advancement: number,
    readonly legal: LegalSet,
    /** The role that writes; null where orders of all are supposed. */
    readonly role: number | null,
    private readonly changed: () => void = () => {},
  ) {
    for (const [zone, orders] of Object.entries(legal.orders)) this.#legal.set(regionOf(map, Number(zone)), orders);
  }

  // --- the set ---------------------------------------------------------------------------------------

  /** The regions that may be ordered, in the order of their names. */
  readonly regions: number[] = $derived.by(() =>
    [...this.#legal.keys()].sort((one, other) => this.notation.name(one).localeCompare(this.notation.name(other))),
  );
  /** In the order of the list. */
  readonly orders: Order[] = $derived.by(() =>
    [...this.#orders].sort(([one], [other]) => this.regions.indexOf(one) - this.regions.indexOf(other)).map(([, order]) => order),
  );
  /** Units that have no order; in adjustments everything is as it is until it is ordered otherwise. */
  readonly missing: number[] = $derived(
    this.isAdjustments ? [] : this.regions.filter((region) => !this.#orders.has(region)),
  );
  readonly all: Order[] = $derived.by(() => this.regions.flatMap((region) => this.#legal.get(region)!));

  get isAdjustments(): boolean {
    return this.advancement % 5 === Phase.adjustments;
  }

  get isRetreats(): boolean {
    return isRetreats(this.advancement);
  }

  of(region: number): Order | undefined {
    return this.#orders.get(region);
  }

  legalOf(region: number): Order[] {
    return this.#legal.get(region) ?? [];
  }

  roleOf(region: number): number {
    return this.#legal.get(region)?.[0]?.[0] ?? 0;
  }

  isBuild(region: number): boolean {
    return this.#legal.get(region)?.[0]?.[1] === Act.build;
  }

  /** How many adjustments a role may or must still order. */
  room(role: number): number {
    return (this.legal.most[role] ?? 0) - this.orders.filter((order) => order[0] === role).length;
  }

  isLegal(order: Order): boolean {
    return this.legalOf(regionOf(this.map, order[2])).some((each) => sameOrder(each, order));
  }

  /** Take orders as they were kept; those that are not possible any more are told at their unit. */
  fill(orders: readonly Order[], isChecked = true): void {
    const kept = new Map<number, Order>();
    const faults = new Map<number, string>();
    for (const order of orders) {
      const region = regionOf(this.map, order[2]);
      if (isChecked && !this.isLegal(order)) {
        if (this.#legal.has(region)) faults.set(region, words('noLonger', { order: this.notation.write(order) }));
      } else kept.set(region, order);
    }
    this.#orders = kept;
    this.faults = faults;
    this.begin(null);
  }

  /** The spelling of the list for an order that says the same. */
  #spelt(order: Order): Order {
    const [, act, zone, passive, destination, via, kind] = order;
    const region = (place: number): number => regionOf(this.map, place);
    const same = this.legalOf(region(zone)).find(
      (each) =>
        each[1] === act &&
        region(each[3]) === region(passive) &&
        each[4] === destination &&
        Boolean(each[5]) === Boolean(via) &&
        (act !== Act.build || (each[6] === kind && each[2] === zone)),
    );
    return same ?? order;
  }

  set(given: Order): void {
    const order = this.#spelt(given);
    const region = regionOf(this.map, order[2]);
    if (this.isAdjustments && !this.#orders.has(region) && this.room(order[0]) <= 0) {
      this.fault(region, words(order[1] === Act.build ? 'tooManyBuilds' : 'tooManyRemovals', { n: this.legal.most[order[0]] ?? 0 }));
      return;
    }
    this.#orders = new Map([...this.#orders, [region, order]]);
    this.#shipped = order[1] === Act.move ? region : this.#shipped;
    this.fault(region, null);
    this.begin(null);
    this.changed();
  }

  clear(region: number): void {
    const kept = new Map(this.#orders);
    kept.delete(region);
    this.#orders = kept;
    this.fault(region, null);
    this.begin(null);
    this.changed();
  }

  clearAll(): void {
    this.#orders = new Map();
    this.faults = new Map();
    this.begin(null);
    this.changed();
  }

  /** Every unit without an order does what it would by default: it holds, or is disbanded where it was dislodged. */
  holdRest(): void {
    const kept = new Map(this.#orders);
    for (const region of this.missing) {
      const hold = this.legalOf(region).find((order) => order[1] === Act.hold || order[1] === Act.disband);
      if (hold) kept.set(region, hold);
    }
    this.#orders = kept;
    this.faults = new Map();
    this.begin(null);
    this.changed();
  }

  /** What a unit of one's own would have to do for this help to be of use, and does not; in words. */
  remark(region: number): string | null {
    const order = this.#orders.get(region);
    if (!order || !HELPS.includes(order[1]) || !this.#legal.has(regionOf(this.map, order[3]))) return null;
    const helped = this.#orders.get(regionOf(this.map, order[3]));
    const unit = this.notation.unit(regionOf(this.map, order[3]));
    const moves = helped?.[1] === Act.move;
    if (order[1] === Act.supportHold) return moves ? words('remarkMoves', { unit }) : null;
    const there = regionOf(this.map, order[4]);
    if (moves && regionOf(this.map, helped[4]) === there) return null;
    return words('remarkElsewhere', { unit, place: this.notation.name(there) });
  }

  fault(region: number, text: string | null): void {
    const faults = new Map(this.faults);
    if (text === null) faults.delete(region);
    else faults.set(region, text);
    this.faults = faults;
  }

  // --- steps -----------------------------------------------------------------------------------------

  /** What is still possible at this step. */
  readonly #candidates: Order[] = $derived.by(() => {
    if (this.unit === null) return [];
    return this.legalOf(this.unit).filter(
      (order) =>
        (this.act === null || order[1] === this.act) &&
        (this.passive === null || (order[3] !== 0 && regionOf(this.map, order[3]) === this.passive)) &&
        (this.destination === null || (order[4] !== 0 && regionOf(this.map, order[4]) === this.destination)),
    );
  });
  readonly #attack: Order | undefined = $derived.by(() =>
    this.passive === null || this.unit === null || this.act !== null
      ? undefined
      : this.legalOf(this.unit).find((order) => order[1] === Act.move && regionOf(this.map, order[4]) === this.passive),
  );
  /** All that is asked is one of the choices: the place is said, the rest is not. */
  readonly isAsking: boolean = $derived(
    this.unit !== null && (this.destination !== null || this.isBuild(this.unit)),
  );

  /** Choose the unit to order, or none. */
  begin(region: number | null): void {
    this.unit = region;
    this.act = this.passive = this.destination = null;
  }

  /** A place of the map was picked. */
  pick(zone: number): void {
    const region = regionOf(this.map, zone);
    if (this.unit === null) this.#start(region);
    else if (region === this.unit) this.begin(null);
    else if (this.isAsking) {
      const meant = this.#candidates.find((order) => order[4] === zone && zone !== region);
      if (meant) this.set(meant);
    } else if (this.passive !== null) this.#partnered(region);
    else {
      const helps = this.#candidates.some((order) => HELPS.includes(order[1]) && regionOf(this.map, order[3]) === region);
      if (helps) this.#narrow({ passive: region });
      else if (this.#candidates.some((order) => !HELPS.includes(order[1]) && regionOf(this.map, order[4]) === region))
        this.#go(region, zone);
    }
  }

  #start(region: number): void {
    const legal = this.legalOf(region);
    if (!legal.length) return;
    if (!this.isAdjustments) this.begin(region);
    else if (this.#orders.has(region)) this.clear(region);
    else if (legal.length === 1 || this.room(legal[0]![0]) <= 0) this.set(legal[0]!);
    else this.begin(region);
  }

  #partnered(region: number): void {
    if (region !== this.passive) {
      if (this.#candidates.some((order) => regionOf(this.map, order[4]) === region)) this.#narrow({ destination: region });
      return;
    }
    const hold = this.#candidates.find((order) => order[1] === Act.supportHold);
    const isOwn = this.notation.unitAt(region)?.role === this.roleOf(this.unit!);
    if (this.#attack && !isOwn) this.#go(region, region);
    else if (hold) this.set(hold);
  }

  /** Go there by oneself; a coast that was picked is meant. */
  #go(region: number, zone: number): void {
    this.passive = null;
    const moves = this.legalOf(this.unit!).filter(
      (order) => (order[1] === Act.move || order[1] === Act.retreat) && regionOf(this.map, order[4]) === region,
    );
    const meant = moves.filter((order) => order[4] === zone);
    if (zone !== region && meant.length === 1) this.set(meant[0]!);
    else if (moves.length === 1) this.set(moves[0]!);
    else {
      this.act = moves[0]?.[1] ?? null;
      this.destination = region;
    }
  }

  /** Say more of the step; where one order is left it is the one. */
  #narrow(said: { passive?: number; destination?: number; act?: number }): void {
    if (said.act !== undefined) this.act = said.act;
    if (said.passive !== undefined) this.passive = said.passive;
    if (said.destination !== undefined) this.destination = said.destination;
    const left = this.#plain(this.#candidates);
    if (left.length === 1 && !(this.#attack && this.destination === null)) this.set(left[0]!);
  }

  /** A support that names no coast helps on every coast: the spellings with a coast are not asked for. */
  #plain(orders: Order[]): Order[] {
    return orders.filter(
      (order) => order[1] !== Act.supportMove || regionOf(this.map, order[4]) === order[4],
    );
  }

  /** Take back the last step; true if there was one. */
  back(): boolean {
    if (this.unit === null) return false;
    if (this.destination !== null) {
      this.destination = null;
      if (this.passive === null) this.act = null;
    } else if (this.passive !== null) this.passive = null;
    else this.begin(null);
    return true;
  }

  /** From the list: what this unit does; 0 is nothing yet. */
  chooseAct(region: number, act: number): void {
    if (this.#orders.has(region)) this.clear(region);
    this.begin(act ? region : null);
    if (act) this.#narrow({ act });
  }

  /** From the list: whom it helps. */
  choosePassive(region: number, act: number, passive: number): void {
    if (this.#orders.has(region)) this.clear(region);
    this.begin(region);
    this.act = act;
    this.#narrow({ passive });
  }

  readonly choices: Choice[] = $derived.by(() => {
    if (this.unit === null) return [];
    const left = this.#plain(this.#candidates);
    if (this.isAsking) return left.map((order) => ({ text: this.#difference(order, left), order }));
    const found: Choice[] = [];
    if (this.passive !== null) {
      const name = this.notation.name(this.passive);
      if (this.#attack) {
        const moves = this.legalOf(this.unit).filter(
          (order) => order[1] === Act.move && regionOf(this.map, order[4]) === this.passive,
        );
        for (const order of moves) {
          const how = moves.length > 1 ? ` (${this.#difference(order, moves)})` : '';
          found.push({ text: words('attack', { place: name }) + how, order });
        }
      }
      const hold = left.find((order) => order[1] === Act.supportHold);
      if (hold) found.push({ text: words('supportThere', { place: name }), order: hold });
    } else if (this.act === null) {
      const still = left.find((order) => order[1] === Act.hold || order[1] === Act.disband);
      if (still) found.push({ text: words(still[1] === Act.hold ? 'hold' : 'disband'), order: still });
    }
    return found;
  });

  #difference(order: Order, among: Order[]): string {
    if (order[1] === Act.build) {
      const kind = words(order[6] === 1 ? 'buildArmy' : 'buildFleet');
      return regionOf(this.map, order[2]) === order[2] ? kind : `${kind} (${this.notation.shore(order[2])})`;
    }
    if (among.some((other) => other[1] !== order[1])) return words(order[1] === Act.convoy ? 'convoy' : 'support');
    if (among.some((other) => other[4] !== order[4])) return this.notation.shore(order[4]);
    return words(order[5] ? 'byConvoy' : 'byLand');
  }

  /** Own fleets that could carry the army that was last sent over the sea, and are not told to. */
  readonly offers: Choice[] = $derived.by(() => {
    const move = this.#shipped === null || this.unit !== null ? undefined : this.#orders.get(this.#shipped);
    if (!move || move[1] !== Act.move) return [];
    const ways = this.legalOf(this.#shipped!).filter((order) => order[1] === Act.move && order[4] === move[4]);
    if (!move[5] && ways.length > 1) return [];
    return this.all
      .filter((order) => order[1] === Act.convoy && order[3] === move[2] && order[4] === move[4])
      .filter((order) => !this.orders.some((given) => sameOrder(given, order)))
      .map((order) => ({ text: words('convoyToo', { unit: this.notation.unit(order[2]) }), order }));
  });

  // --- the map ---------------------------------------------------------------------------------------

  readonly lit: number[] = $derived.by(() => {
    if (this.unit === null)
      return this.isAdjustments
        ? this.regions.filter((region) => this.#orders.has(region) || this.room(this.roleOf(region)) > 0)
        : this.regions;
    const found = new Set<number>([this.unit]);
    if (this.isAsking) {
      for (const order of this.#candidates) if (this.#isCoast(order[4])) found.add(order[4]);
      return [...found];
    }
    for (const order of this.#candidates) {
      if (this.passive === null && order[3]) found.add(regionOf(this.map, order[3]));
      else if (order[4]) {
        found.add(regionOf(this.map, order[4]));
        if (this.#isCoast(order[4]) && !order[3]) found.add(order[4]);
      } else if (order[1] === Act.supportHold) found.add(regionOf(this.map, order[3]));
    }
    if (this.#attack) found.add(this.passive!);
    return [...found];
  });

  #isCoast(zone: number): boolean {
    return zone !== 0 && regionOf(this.map, zone) !== zone;
  }

  readonly chosen: number[] = $derived([this.unit, this.passive, this.destination].filter((zone) => zone !== null));

  readonly drawn: Drawn[] = $derived(this.orders.map((order) => this.draw(order, 'ordered')));

  draw(order: Order, look: Drawn['look']): Drawn {
    return { order, kind: order[6] || this.notation.unitAt(order[2])?.kind, look };
  }

  // --- in words --------------------------------------------------------------------------------------

  /** What this step wants, as a sentence. */
  readonly hint: string = $derived.by(() => {
    if (this.unit === null) return this.#wanted();
    const unit = this.notation.unitAt(this.unit);
    const name = this.isBuild(this.unit) ? this.notation.name(this.unit) : this.#named(this.unit);
    if (this.isBuild(this.unit)) return words('askBuild', { place: name });
    if (this.isAsking) {
      const left = this.#plain(this.#candidates);
      if (left.some((order) => order[1] !== left[0]![1])) return words('askAct', { unit: name });
      if (left.some((order) => order[4] !== left[0]![4])) return words('askCoast', { place: this.notation.name(this.destination!) });
      return words('askWay', { unit: name });
    }
    if (this.passive !== null) {
      const other = this.#named(this.passive);
      const place = this.notation.name(this.passive);
      const again = this.#candidates.some((order) => order[1] === Act.supportHold);
      const isOwn = this.notation.unitAt(this.passive)?.role === unit?.role;
      if (this.#attack && !isOwn) return words('hintPartnerForeign', { unit: name, other, place });
      return words(again ? 'hintPartnerHere' : 'hintPartner', { unit: name, other, place });
    }
    if (this.isRetreats) return words('hintRetreat', { unit: name });
    if (this.act !== null && HELPS.includes(this.act)) return words('hintHelp', { unit: name });
    const carries = this.#candidates.some((order) => order[1] === Act.convoy);
    return words(carries ? 'hintTargetConvoy' : 'hintTarget', { unit: name });
  });

  #wanted(): string {
    if (this.isAdjustments) {
      const first = this.all[0];
      if (!first) return words('nothingToOrder');
      if (this.role === null) return words('hintAdjust');
      const left = this.room(this.role);
      if (first[1] === Act.build) return left > 0 ? words('hintBuild', { n: left }) : words('hintBuilt');
      return left > 0 ? words('hintRemove', { n: left }) : words('hintRemoved');
    }
    if (!this.regions.length) return words('nothingToOrder');
    if (this.role === null) return words('hintAny');
    if (!this.missing.length) return words('hintAll');
    return words(this.isRetreats ? 'hintUnitRetreats' : 'hintUnit', { n: this.missing.length });
  }

  /** A Paris, as players say. */
  #named(region: number): string {
    const unit = this.notation.unitAt(region);
    const place = this.notation.name(unit?.zone ?? region);
    return words(unit?.kind === 1 ? 'armyIn' : 'fleetIn', { place });
  }
}
