/** What part of a large drawing is seen, of a map, say: one zoom and one shift, kept within bounds. */

export interface Spot {
  x: number;
  y: number;
}

const CLOSEST = 5;
/** Pixels of the screen for a unit of the map beyond which nobody wants to go. */
const GLIDE = 220;
const SETTLE = 160;

export class Camera {
  /** 1 shows the whole map. */
  zoom = $state(1);
  x = $state(0);
  y = $state(0);
  /** While it moves, the picture is shifted as it is and drawn anew only afterwards. */
  isMoving = $state(false);
  width = $state(0);
  height = $state(0);
  #settling: ReturnType<typeof setTimeout> | undefined;
  #gliding = 0;

  constructor(
    private readonly sheetWidth: () => number,
    private readonly sheetHeight: () => number,
    private readonly isCalm: () => boolean,
  ) {}

  /** Pixels for a unit of the map when all of it is seen. */
  get fit(): number {
    return Math.min(this.width / this.sheetWidth(), this.height / this.sheetHeight()) || 0.1;
  }

  /** Pixels for a unit of the map now. */
  get scale(): number {
    return this.fit * this.zoom;
  }

  get most(): number {
    return Math.max(4, CLOSEST / this.fit / 1.6);
  }

  get isWhole(): boolean {
    return this.zoom <= 1.001;
  }

  resize(width: number, height: number): void {
    const middle = this.toMap(this.width / 2, this.height / 2);
    const wasEmpty = !this.width;
    this.width = width;
    this.height = height;
    if (wasEmpty) this.#place(1, 0, 0);
    else this.#place(this.zoom, width / 2 - middle.x * this.scale, height / 2 - middle.y * this.scale);
  }

  /** A point of the window, in units of the map. */
  toMap(x: number, y: number): Spot {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  shift(dx: number, dy: number): void {
    this.#stir();
    this.#place(this.zoom, this.x + dx, this.y + dy);
  }

  /** Zoom about a point of the window. */
  zoomAt(factor: number, x: number, y: number): void {
    this.#stir();
    this.#zoomTo(this.zoom * factor, x, y);
  }

  #zoomTo(wanted: number, x: number, y: number): void {
    const zoom = Math.min(this.most, Math.max(1, wanted));
    const held = this.toMap(x, y);
    this.#place(zoom, x - held.x * this.fit * zoom, y - held.y * this.fit * zoom);
  }

  /** The same with a short glide, for buttons and keys. */
  glideBy(factor: number, x = this.width / 2, y = this.height / 2): void {
    const [from, to] = [this.zoom, Math.min(this.most, Math.max(1, this.zoom * factor))];
    this.#glide((part) => this.#zoomTo(from * (to / from) ** part, x, y));
  }

  glideShift(dx: number, dy: number): void {
    const [x, y] = [this.x, this.y];
    this.#glide((part) => this.#place(this.zoom, x + dx * part, y + dy * part));
  }

  whole(): void {
    const [zoom, x, y] = [this.zoom, this.x, this.y];
    const end = this.#bounded(1, 0, 0);
    this.#glide((part) =>
      this.#place(zoom ** (1 - part), x + (end.x - x) * part, y + (end.y - y) * part),
    );
  }

  /** Bring a point of the map into the middle, so close. */
  show(middle: Spot, wanted: number): void {
    const [from, x, y] = [this.zoom, this.x, this.y];
    const zoom = Math.min(this.most, Math.max(1, wanted));
    const end = this.#bounded(zoom, this.width / 2 - middle.x * this.fit * zoom, this.height / 2 - middle.y * this.fit * zoom);
    this.#glide((part) =>
      this.#place(from + (zoom - from) * part, x + (end.x - x) * part, y + (end.y - y) * part),
    );
  }

  /** Bring a point of the map into sight; nothing moves where it is well in sight already. */
  seek({ x, y }: Spot): void {
    const [px, py] = [x * this.scale + this.x, y * this.scale + this.y];
    const margin = Math.min(this.width, this.height) * 0.15;
    if (px > margin && px < this.width - margin && py > margin && py < this.height - margin) return;
    this.glideShift(this.width / 2 - px, this.height / 2 - py);
  }

  #glide(step: (part: number) => void): void {
    cancelAnimationFrame(this.#gliding);
    if (this.isCalm()) {
      step(1);
      return;
    }
    const begun = performance.now();
    const go = (now: number): void => {
      const part = Math.min(1, Math.max(0, now - begun) / GLIDE);
      this.#moves();
      step(1 - (1 - part) ** 3);
      if (part < 1) this.#gliding = requestAnimationFrame(go);
    };
    this.#gliding = requestAnimationFrame(go);
  }

  #stir(): void {
    cancelAnimationFrame(this.#gliding);
    this.#moves();
  }

  #moves(): void {
    this.isMoving = true;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => (this.isMoving = false), SETTLE);
  }

  stop(): void {
    cancelAnimationFrame(this.#gliding);
    clearTimeout(this.#settling);
  }

  #place(zoom: number, x: number, y: number): void {
    this.zoom = zoom;
    ({ x: this.x, y: this.y } = this.#bounded(zoom, x, y));
  }

  /** The map fills the window where it can, and is in its middle where it cannot. */
  #bounded(zoom: number, x: number, y: number): Spot {
    const within = (room: number, length: number, at: number): number =>
      length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at));
    const scale = this.fit * zoom;
    return {
      x: within(this.width, this.sheetWidth() * scale, x),
      y: within(this.height, this.sheetHeight() * scale, y),
    };
  }
}
