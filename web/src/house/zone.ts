/** Moments as the clocks of a time zone show them: what is typed in a field of date and time, and back. */

/** `2026-11-16T20:00`, as the clocks there show this moment. */
export function shownIn(zone: string, at: number): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/** The moment at which the clocks there show this; NaN where it is no date. */
export function momentIn(zone: string, shown: string): number {
  const asUtc = Date.parse(`${shown}Z`);
  if (Number.isNaN(asUtc)) return NaN;
  // The offset is that of the moment itself, which is known only by trying; twice is enough around a change of hour.
  let at = asUtc;
  for (let turn = 0; turn < 2; turn++) at += asUtc - Date.parse(`${shownIn(zone, at)}Z`);
  return at;
}
