/** How a finished game went for somebody, in a word or two. */

import { catalogue } from '../words/catalogue.svelte';

const words = catalogue({
  fr: {
    won: 'vous avez gagné',
    lost: 'vous avez perdu',
    shared: 'victoire partagée',
    drawn: 'partie nulle',
    rank: '{rank}ᵉ sur {of}',
  },
  en: {
    won: 'you won',
    lost: 'you lost',
    shared: 'a shared win',
    drawn: 'a draw',
    rank: 'place {rank} of {of}',
  },
});

/** `tied` share the rank; a game that ended without a result that counts, or that one played alone, says nothing. */
export interface Placed {
  rank: number | null;
  of: number;
  tied: number;
  decided: boolean;
}

export function verdict({ rank, of, tied, decided }: Placed): string {
  if (rank === null || of < 2 || !decided) return '';
  if (tied === of) return words('drawn');
  if (rank === 1) return words(tied > 1 ? 'shared' : 'won');
  return of === 2 ? words('lost') : words('rank', { rank, of });
}
