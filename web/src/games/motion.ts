/** Motion on boards: whether somebody wants any, and what waits for its end. */

export function isStill(): boolean {
  return document.documentElement.dataset.motion === 'reduced' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Do something once a motion of so many milliseconds has been seen; gives back the function that forgets it. */
export function afterMotion(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, isStill() ? 0 : milliseconds);
  return () => clearTimeout(timer);
}
