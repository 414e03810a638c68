/** A move as somebody types it, or as the page writes it: `e2e4`, `Cf3` or `Nf3`, `exd5`, `bxa8=C`, `O-O`; found among what is possible. */

import { language } from '../../words/catalogue.svelte';
import type { ChessLegal, Side } from './model';

type Typed = { move: string } | { promotes: [string, string] } | { trouble: 'unreadable' | 'impossible' | 'several' };

const FRENCH: Record<string, string> = { R: 'k', D: 'q', T: 'r', F: 'b', C: 'n', K: 'k', Q: 'q', B: 'b', N: 'n' };
const ENGLISH: Record<string, string> = { K: 'k', Q: 'q', R: 'r', B: 'b', N: 'n', D: 'q', T: 'r', F: 'b', C: 'n' };
/** What a pawn becomes, in either language; `h` is the knight of the old protocol. */
const BECOMES: Record<string, string> = { q: 'q', d: 'q', r: 'r', t: 'r', b: 'b', f: 'b', n: 'n', c: 'n', h: 'n' };

export function readTyped(text: string, legal: ChessLegal, pieces: ReadonlyMap<string, string>, you: Side): Typed {
  // A number before it, and what is said of it behind it, belong to the list of moves.
  const said = text.trim().replace(/^\d+\s*(\.+|…)/, '').replace(/[+#!?\s]+/g, '').replace(/[–—]/g, '-').replace(/×/g, 'x').replace(/e\.?p\.?$/, '');
  const possible = legal.moves ?? legal.premoves ?? {};
  const castling = /^[o0](-?[o0]){1,2}$/i.exec(said);
  if (castling) return castled(said.replaceAll('-', '').length, possible, pieces, you);
  const plain = /^([a-h][1-8])[-x:]?([a-h][1-8])=?\(?([a-z])?\)?$/i.exec(said);
  if (plain) {
    const [from, to] = [plain[1]!.toLowerCase(), plain[2]!.toLowerCase()];
    return possible[from]?.includes(to) ? finished(from, to, plain[3], legal) : { trouble: 'impossible' };
  }
  const named = /^([a-h]?)([1-8]?)[x:]?([a-h][1-8])=?\(?([a-zA-Z])?\)?$/.exec(said);
  const asPawn = named && among(possible, pieces, 'p', named[1]!, named[2]!, named[3]!);
  if (named && asPawn?.length) return only(asPawn, named[3]!, named[4], legal);
  const asPiece = /^([kqrbndtfc])([a-h]?)([1-8]?)[x:-]?([a-h][1-8])$/i.exec(said);
  if (asPiece) {
    const role = (language() === 'fr' ? FRENCH : ENGLISH)[asPiece[1]!.toUpperCase()]!;
    const to = asPiece[4]!.toLowerCase();
    return only(among(possible, pieces, role, asPiece[2]!.toLowerCase(), asPiece[3]!, to), to, undefined, legal);
  }
  return { trouble: named ? 'impossible' : 'unreadable' };
}

/** Where a piece of this kind may come from. */
function among(
  possible: Record<string, string[]>, pieces: ReadonlyMap<string, string>, role: string, file: string, rank: string, to: string,
): string[] {
  return Object.keys(possible).filter(
    (from) =>
      pieces.get(from)?.toLowerCase() === role &&
      possible[from]!.includes(to) &&
      (!file || from[0] === file) &&
      (!rank || from[1] === rank),
  );
}

function only(found: string[], to: string, becomes: string | undefined, legal: ChessLegal): Typed {
  if (found.length === 0) return { trouble: 'impossible' };
  return found.length > 1 ? { trouble: 'several' } : finished(found[0]!, to, becomes, legal);
}

function finished(from: string, to: string, becomes: string | undefined, legal: ChessLegal): Typed {
  const promotes = legal.promotes?.[from]?.includes(to) ?? false;
  const letter = becomes && BECOMES[becomes.toLowerCase()];
  if (becomes && (!letter || !promotes)) return { trouble: 'impossible' };
  if (promotes && !letter) return { promotes: [from, to] };
  return { move: from + to + (letter ?? '') };
}

function castled(letters: number, possible: Record<string, string[]>, pieces: ReadonlyMap<string, string>, you: Side): Typed {
  const rank = you === 'white' ? '1' : '8';
  const [from, to] = [`e${rank}`, `${letters === 2 ? 'g' : 'c'}${rank}`];
  const isKing = pieces.get(from)?.toLowerCase() === 'k';
  return isKing && possible[from]?.includes(to) ? { move: from + to } : { trouble: 'impossible' };
}
