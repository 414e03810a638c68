/** The pictures of boards, each asked for once by the text of its description. */

import { post } from '../../../house/api';
import type { ArenaPicture } from './model';

/** Who edits a description asks for many: the oldest are forgotten. */
const MOST = 12;
const asked = new Map<string, Promise<ArenaPicture>>();

/** The drawing of a description; a failure is not remembered. */
export function pictureOf(description: string): Promise<ArenaPicture> {
  const known = asked.get(description);
  if (known) return known;
  const found = post<ArenaPicture>('/arena/drawing', { description });
  asked.set(description, found);
  found.catch(() => asked.delete(description));
  for (const oldest of asked.keys()) {
    if (asked.size <= MOST) break;
    asked.delete(oldest);
  }
  return found;
}
