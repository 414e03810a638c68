/** How the tiles lie in the palette: by kind, each kind with its orientations. */

import { TILES, type Kind } from '../field/tiles';

export interface Drawer {
  kind: Kind;
  tiles: string[];
}

const ORDER: Kind[] = [
  'law', 'belt', 'bend', 'junction', 'turntable', 'wall', 'laser', 'pusher', 'pothole', 'repair', 'action',
];

/** The press is not used in the game, and the neutral tile is the rubber. */
export const DRAWERS: Drawer[] = ORDER.map((kind) => ({
  kind,
  tiles: [...TILES.values()].filter((facts) => facts.kind === kind).map((facts) => facts.name),
}));

export function drawerOf(name: string): Drawer | undefined {
  return DRAWERS.find((drawer) => drawer.tiles.includes(name));
}
