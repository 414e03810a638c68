/** Dragging with whatever points: a movement from the palette, a register from its place, a tile of the workshop. */

type Load = { code: string } | { from: number };

/** A press becomes a drag once the pointer has gone so far. */
const FAR = 8;

/** The register under a point of the window. */
function registerUnder(x: number, y: number): number | null {
  const under = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-register]');
  return under ? Number(under.dataset.register) - 1 : null;
}

export class Dragging<L = Load> {
  load = $state.raw<L | null>(null);
  x = $state(0);
  y = $state(0);
  /** The register, or whatever can be dropped on, under the pointer. */
  over = $state<number | null>(null);
  #press: { pointer: number; x: number; y: number; load: L } | null = null;
  #hasDragged = false;

  constructor(
    readonly drop: (load: L, on: number | null) => void,
    readonly find: (x: number, y: number) => number | null = registerUnder,
  ) {}

  press(event: PointerEvent, load: L): void {
    this.#hasDragged = false;
    if (event.button !== 0 || !event.isPrimary) return;
    this.#press = { pointer: event.pointerId, x: event.clientX, y: event.clientY, load };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (this.#press?.pointer !== event.pointerId) return;
    const isFar = Math.hypot(event.clientX - this.#press.x, event.clientY - this.#press.y) > FAR;
    if (!this.load && !isFar) return;
    this.load = this.#press.load;
    [this.x, this.y] = [event.clientX, event.clientY];
    this.over = this.find(event.clientX, event.clientY);
  }

  lift(event: PointerEvent): void {
    if (this.#press?.pointer !== event.pointerId) return;
    const { load } = this;
    const on = this.over;
    this.cancel();
    if (!load) return;
    this.#hasDragged = true;
    // The click that ends a drag comes at once, or not at all.
    setTimeout(() => (this.#hasDragged = false));
    this.drop(load, on);
  }

  cancel(): void {
    this.#press = null;
    this.load = null;
    this.over = null;
  }

  /** Whether a click only ends a drag. */
  get endsDrag(): boolean {
    return this.#hasDragged;
  }
}
