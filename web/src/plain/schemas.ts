/** The JSON Schema of each action of a variant, by its name, asked for once. */

import { get } from '../house/api';
import type { ActionForms } from '../house/types';

const asked = new Map<string, Promise<Record<string, unknown>>>();

export function schemasOf(game: string, variant: string): Promise<Record<string, unknown>> {
  const place = `/games/${encodeURIComponent(game)}/${encodeURIComponent(variant)}/actions`;
  let answer = asked.get(place);
  if (!answer) {
    answer = get<ActionForms>(place).then((forms) => forms.actions);
    // What could not be fetched is asked for again the next time.
    answer.catch(() => asked.delete(place));
    asked.set(place, answer);
  }
  return answer;
}
