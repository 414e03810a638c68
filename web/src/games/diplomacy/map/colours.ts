/** The colour of a power: its own, or that of the palette that somebody has chosen. */

import type { MapPower } from '../../../house/types';
import { preferences } from '../../../shell/preferences.svelte';
import { darkened, partsOf } from './pieces';

const CHOSEN = 10;
/** So many colours has a palette for the colour-blind. */

interface PowerColours {
  /** For grounds and dots. */
  own: string;
  /** For signs and lines: white can be read on it. */
  deep: string;
  /** As light as paper: its tokens and arrows have dark lines. */
  isPale: boolean;
  /** A dark grey, which a dark map would swallow. */
  isSombre: boolean;
}

export function coloursOf(power: MapPower | undefined): PowerColours {
  if (!power) return { own: 'var(--map-ink)', deep: 'var(--map-ink)', isPale: false, isSombre: false };
  if (preferences.current.palette === 'usual') {
    const parts = partsOf(power.colour);
    const [least, most] = [Math.min(...parts), Math.max(...parts)];
    return { own: power.colour, deep: darkened(power.colour), isPale: least > 200, isSombre: most < 110 && most - least < 40 };
  }
  const chosen = `var(--power-${((power.role - 1) % CHOSEN) + 1})`;
  return { own: chosen, deep: chosen, isPale: false, isSombre: false };
}
