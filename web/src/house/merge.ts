/** JSON merge patch (RFC 7396): objects are merged, null deletes, everything else replaces. */

export type Json = unknown;
type Dict = Record<string, Json>;

export function merged(target: Json, patch: Json): Json {
  if (!isDict(patch)) return patch;
  const result: Dict = isDict(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function isDict(value: Json): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
