/** A QR code (ISO/IEC 18004) of a short text: bytes, correction level M, versions 1 to 10. */

/** By version: all codewords, those of correction in each block, and how many blocks there are. */
const SIZES: [total: number, correction: number, blocks: number][] = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2],
  [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5],
];
/** Where the middles of the small squares lie, by version. */
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The dark modules, row by row; null where the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = SIZES.findIndex((_, v) => bytes.length + (v > 8 ? 3 : 2) <= roomOf(v)) + 1;
  if (version === 0) return null;
  const words = codewords(bytes, version);
  const drawn = MASKS.map((_, mask) => new Sheet(version).fill(words, mask));
  return drawn.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

function roomOf(index: number): number {
  const [total, correction, blocks] = SIZES[index]!;
  return total - correction * blocks;
}

// --- codewords ---

/** Data and correction of all blocks, as they are laid into the drawing. */
function codewords(bytes: number[], version: number): number[] {
  const [, correction, count] = SIZES[version - 1]!;
  const data = padded(bytes, version);
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  let from = 0;
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = data.slice(from, (from += short + (i >= count - longer ? 1 : 0)));
    return { block, rest: remainder(block, correction) };
  });
  const across = (rows: number[][]) =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat();
  return [...across(blocks.map((each) => each.block)), ...across(blocks.map((each) => each.rest))];
}

/** The text with its kind and length before it, filled up to what the version holds. */
function padded(bytes: number[], version: number): number[] {
  const room = roomOf(version - 1);
  const bits: number[] = [];
  const put = (value: number, n: number) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, version > 9 ? 16 : 8);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * room - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((word, bit) => 2 * word + bit, 0));
  for (let filler = 0xec; words.length < room; filler ^= 0xec ^ 0x11) words.push(filler);
  return words;
}

/** Product in the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1. */
function times(one: number, other: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> i) & 1) * one;
  }
  return product;
}

/** The codewords of correction (Reed–Solomon) of a block. */
function remainder(block: number[], degree: number): number[] {
  let divisor = [...Array<number>(degree - 1).fill(0), 1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    divisor = divisor.map((each, k) => times(each, root) ^ (divisor[k + 1] ?? 0));
  }
  const rest = Array<number>(degree).fill(0);
  for (const word of block) {
    const factor = word ^ rest.shift()!;
    rest.push(0);
    divisor.forEach((each, i) => (rest[i]! ^= times(each, factor)));
  }
  return rest;
}

// --- the drawing ---

class Sheet {
  readonly size: number;
  #dark: boolean[][];
  /** Modules that are not for data. */
  #taken: boolean[][];

  constructor(readonly version: number) {
    this.size = 17 + 4 * version;
    const empty = () => Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false));
    [this.#dark, this.#taken] = [empty(), empty()];
  }

  fill(words: number[], mask: number): boolean[][] {
    this.#frame();
    this.#format(mask);
    if (this.version > 6) this.#version();
    this.#lay(words, MASKS[mask]!);
    return this.#dark;
  }

  #set(x: number, y: number, isDark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.#dark[y]![x] = isDark;
    this.#taken[y]![x] = true;
  }

  #frame(): void {
    for (let i = 0; i < this.size; i++) {
      this.#set(6, i, i % 2 === 0);
      this.#set(i, 6, i % 2 === 0);
    }
    const middles = ALIGNED[this.version - 1]!;
    const last = middles.length - 1;
    middles.forEach((y, i) =>
      middles.forEach((x, k) => {
        if (!(i === 0 && k === 0) && !(i === 0 && k === last) && !(i === last && k === 0)) this.#square(x, y, 2, [1]);
      }),
    );
    const far = this.size - 4;
    for (const [x, y] of [[3, 3], [far, 3], [3, far]] as const) this.#square(x, y, 4, [2, 4]);
  }

  /** Rings about a middle, dark but for those that are named. */
  #square(x: number, y: number, reach: number, light: number[]): void {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        this.#set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  /** Level M and the mask, with their correction, twice. */
  #format(mask: number): void {
    let rest = mask;
    for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (i: number) => ((bits >> i) & 1) === 1;
    for (let i = 0; i < 6; i++) this.#set(8, i, bit(i));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let i = 9; i < 15; i++) this.#set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i++) this.#set(this.size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i++) this.#set(8, this.size - 15 + i, bit(i));
    this.#set(8, this.size - 8, true);
  }

  #version(): void {
    let rest = this.version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (this.version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const [a, b] = [this.size - 11 + (i % 3), Math.floor(i / 3)];
      this.#set(a, b, ((bits >> i) & 1) === 1);
      this.#set(b, a, ((bits >> i) & 1) === 1);
    }
  }

  /** Data in columns of two, from the right, up and down in turn. */
  #lay(words: number[], isMasked: (x: number, y: number) => boolean): void {
    let i = 0;
    for (let right = this.size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step++) {
        const isUp = ((right + 1) & 2) === 0;
        const y = isUp ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.#taken[y]![x]) continue;
          const isDark = (((words[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) === 1;
          this.#dark[y]![x] = isDark !== isMasked(x, y);
          i++;
        }
      }
    }
  }
}

/** How hard a drawing is to read: long runs, blocks, what looks like a corner, too much of one colour. */
function penalty(rows: boolean[][]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x]!));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map(Number).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const corner of ['00001011101', '10111010000']) {
      for (let at = text.indexOf(corner); at >= 0; at = text.indexOf(corner, at + 1)) sum += 40;
    }
  }
  for (let y = 1; y < rows.length; y++) {
    for (let x = 1; x < rows.length; x++) {
      const one = rows[y]![x];
      if (one === rows[y - 1]![x] && one === rows[y]![x - 1] && one === rows[y - 1]![x - 1]) sum += 3;
    }
  }
  const share = rows.flat().filter(Boolean).length / rows.length ** 2;
  return sum + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
