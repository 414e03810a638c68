/** What was typed and not sent, for each conversation, as long as the tab is open. */

const key = (me: number, other: number) => `tablee-draft-${me}-${other}`;

export function draft(me: number, other: number): string {
  return sessionStorage.getItem(key(me, other)) ?? '';
}

export function keepDraft(me: number, other: number, text: string): void {
  if (text) sessionStorage.setItem(key(me, other), text);
  else sessionStorage.removeItem(key(me, other));
}
