/** What was typed and not sent, for each place to write in, as long as the tab is open. */

const key = (place: string) => `tablee-draft-${place}`;

export function draft(place: string): string {
  return sessionStorage.getItem(key(place)) ?? '';
}

export function keepDraft(place: string, text: string): void {
  if (text) sessionStorage.setItem(key(place), text);
  else sessionStorage.removeItem(key(place));
}
