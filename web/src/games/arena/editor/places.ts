/** Where in a text a JSON path leads: to the value, or as near to it as the text goes. */

export interface Place {
  start: number;
  end: number;
  /** Counted from 1. */
  line: number;
}

const STEP = /\.([A-Za-z_]\w*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
const SPACE = /\s*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const PLAIN = /[^\s,:[\]{}"]+/y;

/** The steps of a path: keys of objects and numbers of lists. */
function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  STEP.lastIndex = 1;
  for (let found = STEP.exec(path); found; found = STEP.exec(path)) {
    steps.push(found[1] ?? (found[2] === undefined ? (JSON.parse(found[3]!) as string) : Number(found[2])));
  }
  return steps;
}

/** Null where the text is no JSON as far as the path goes. */
export function placeOf(text: string, path: string): Place | null {
  try {
    return new Finder(text).find(stepsOf(path));
  } catch {
    return null;
  }
}

/** The place of a line and a column, both counted from 1. */
export function placeAt(text: string, line: number, column: number): Place {
  let start = 0;
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  start = Math.min(text.length, start + column - 1);
  return { start, end: Math.min(text.length, start + 1), line };
}

class Finder {
  #at = 0;

  constructor(private readonly text: string) {}

  find(steps: (string | number)[]): Place {
    this.#space();
    let start = this.#at;
    let name: number | null = null;
    for (const step of steps) {
      const begun = this.#enter(step);
      if (begun === null) break;
      [name, start] = begun;
    }
    this.#at = start;
    this.#skip();
    // From the name of a key on, where there is one; of what is long only the beginning.
    const first = name ?? start;
    const end = this.text.indexOf('\n', first);
    const last = end < 0 ? this.#at : Math.min(this.#at, end);
    return { start: first, end: last, line: this.text.slice(0, first).split('\n').length };
  }

  /** Go to an entry of what begins here; where its name (null in a list) and its value begin, null where there is none. */
  #enter(step: string | number): [number | null, number] | null {
    const isList = this.text[this.#at] === '[';
    if (isList !== (typeof step === 'number') || (!isList && this.text[this.#at] !== '{')) return null;
    this.#at += 1;
    let found: [number | null, number] | null = null;
    for (let index = 0; ; index++) {
      this.#space();
      if (this.text[this.#at] === (isList ? ']' : '}')) break;
      const named = isList ? null : this.#at;
      const key = isList ? index : (JSON.parse(this.#match(STRING)) as string);
      if (!isList) this.#expect(':');
      this.#space();
      // Of a key that is there twice it is the last that counts, and is at fault.
      if (key === step) found = [named, this.#at];
      if (isList && found) break;
      this.#skip();
      this.#space();
      if (this.text[this.#at] !== ',') break;
      this.#at += 1;
    }
    if (found) this.#at = found[1];
    return found;
  }

  #skip(): void {
    let depth = 0;
    do {
      this.#space();
      const next = this.text[this.#at];
      if (next === '"') this.#match(STRING);
      else if (next === '{' || next === '[') {
        depth += 1;
        this.#at += 1;
      } else if (next === '}' || next === ']') {
        depth -= 1;
        this.#at += 1;
      } else if (next === ',' || next === ':') this.#at += 1;
      else this.#match(PLAIN);
    } while (depth > 0);
  }

  #space(): void {
    this.#match(SPACE);
  }

  #expect(sign: string): void {
    this.#space();
    if (this.text[this.#at] !== sign) throw new SyntaxError(`${sign} was expected at ${this.#at}`);
    this.#at += 1;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (!found) throw new SyntaxError(`not JSON at ${this.#at}`);
    this.#at = pattern.lastIndex;
    return found[0];
  }
}
