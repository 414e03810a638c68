/** How long a round lasts on the screen. */

/** A scene lasts so long at the usual speed; a long round is told faster, so that it does not eat the time to think. */
const SLOWEST = 600;
const FASTEST = 170;
const ROUND = 14_000;

export function lastsScene(scenes: number): number {
  return Math.min(SLOWEST, Math.max(FASTEST, ROUND / Math.max(1, scenes)));
}
