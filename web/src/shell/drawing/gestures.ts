/** Hands on a large drawing: drag, pinch, wheel, double click, keys. */

import type { Camera } from './camera.svelte';

const STILL = 6;
/** Pixels that a finger or a mouse may slip and still have clicked. */
const TWICE = 320;
const PAUSE = 350;
/** Milliseconds without the wheel after which it scrolls the page again, where the map cannot get smaller. */
const STEP = 80;

interface Finger {
  x: number;
  y: number;
}

interface Tapped {
  at: number;
  x: number;
  y: number;
}

/** Listen on the window of the map; `tap` is told where somebody clicked, and by what. Returns how to stop. */
export function listen(
  frame: HTMLElement,
  camera: Camera,
  tap: (x: number, y: number, target: Element, kind: string) => boolean,
): () => void {
  const fingers = new Map<number, Finger>();
  let begun: { x: number; y: number; target: Element } | null = null;
  let isDragging = false;
  let last: Tapped | null = null;
  let wheeled = 0;

  const place = (event: { clientX: number; clientY: number }): Finger => {
    const box = frame.getBoundingClientRect();
    return { x: event.clientX - box.left - frame.clientLeft, y: event.clientY - box.top - frame.clientTop };
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    const at = place(event);
    fingers.set(event.pointerId, at);
    if (fingers.size === 1) {
      begun = { ...at, target: event.target };
      isDragging = false;
    } else {
      begun = null;
      for (const id of fingers.keys()) hold(id);
    }
  };

  const hold = (id: number): void => {
    try {
      frame.setPointerCapture(id);
    } catch {
      // The finger has just been lifted.
    }
  };

  const move = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (fingers.size === 1) {
      if (!isDragging && begun && Math.hypot(now.x - begun.x, now.y - begun.y) < STILL) return;
      if (!isDragging) {
        isDragging = true;
        begun = null;
        hold(event.pointerId);
      }
      camera.shift(now.x - before.x, now.y - before.y);
    } else if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)![1];
      const apart = Math.hypot(before.x - other.x, before.y - other.y) || 1;
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      camera.shift((now.x - before.x) / 2, (now.y - before.y) / 2);
      camera.zoomAt(Math.hypot(now.x - other.x, now.y - other.y) / apart, middle.x, middle.y);
    }
    fingers.set(event.pointerId, now);
  };

  const up = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size || !begun || isDragging) {
      if (!fingers.size) isDragging = false;
      return;
    }
    const { x, y, target } = begun;
    begun = null;
    if (tap(x, y, target, event.pointerType)) {
      last = null;
      return;
    }
    const at = performance.now();
    if (last && at - last.at < TWICE && Math.hypot(x - last.x, y - last.y) < 24) {
      camera.glideBy(event.shiftKey ? 0.5 : 2, x, y);
      last = null;
    } else last = { at, x, y };
  };

  const cancel = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    begun = null;
    isDragging = false;
  };

  const wheel = (event: WheelEvent): void => {
    const now = performance.now();
    const isOut = event.deltaY > 0;
    const hasPaused = now - wheeled > PAUSE;
    if (isOut && camera.isWhole && hasPaused && !event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    wheeled = now;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    const turned = Math.max(-120, Math.min(120, event.deltaY * lines)) * (event.ctrlKey ? 4 : 1);
    const at = place(event);
    camera.zoomAt(Math.exp(-turned / 400), at.x, at.y);
  };

  const key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const does: Record<string, () => void> = {
      '+': () => camera.glideBy(1.5),
      '=': () => camera.glideBy(1.5),
      '-': () => camera.glideBy(1 / 1.5),
      '0': () => camera.whole(),
      ArrowLeft: () => camera.glideShift(STEP, 0),
      ArrowRight: () => camera.glideShift(-STEP, 0),
      ArrowUp: () => camera.glideShift(0, STEP),
      ArrowDown: () => camera.glideShift(0, -STEP),
    };
    const isArrow = event.key.startsWith('Arrow');
    const act = does[event.key];
    if (!act || (isArrow && camera.isWhole)) return;
    event.preventDefault();
    act();
  };

  frame.addEventListener('pointerdown', down);
  frame.addEventListener('pointermove', move);
  frame.addEventListener('pointerup', up);
  frame.addEventListener('pointercancel', cancel);
  frame.addEventListener('wheel', wheel, { passive: false });
  frame.addEventListener('keydown', key);
  return () => {
    frame.removeEventListener('pointerdown', down);
    frame.removeEventListener('pointermove', move);
    frame.removeEventListener('pointerup', up);
    frame.removeEventListener('pointercancel', cancel);
    frame.removeEventListener('wheel', wheel);
    frame.removeEventListener('keydown', key);
  };
}
