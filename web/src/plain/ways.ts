/**
 * What may be done, from what `legal` describes by the name of each action: `true` where it needs no more, a list of values
 * or of sets of fields to choose from, or an object that bounds some of its fields. What is described otherwise is offered
 * as a form of all that the action's JSON Schema knows; the house then says what is wrong.
 */

import { formFields, type OptionField, type OptionValue } from '../screens/lobby/options';

export type Action = { do: string } & Record<string, unknown>;

/** One kind of action: moves that are ready, or the fields of a form. */
export interface Way {
  do: string;
  ready: Action[];
  fields: OptionField[];
}

/** More than so many moves are not laid out as buttons. */
const MOST_BUTTONS = 60;

export function waysOf(legal: unknown, schemas: Record<string, unknown>, word: (key: string) => string): Way[] {
  const described = isObject(legal) ? legal : {};
  const names = Object.keys(schemas);
  const isByName = names.some((name) => name in described);
  if (Object.keys(described).length === 0) return [];
  return names.flatMap((name) => {
    const what = isByName ? described[name] : {};
    if (what === undefined || what === null || what === false) return [];
    const fields = formFields(schemas[name], word, 'field').filter((each) => each.name !== 'do');
    return wayOf(name, what, fields) ?? [];
  });
}

function wayOf(name: string, what: unknown, fields: OptionField[]): Way | null {
  if (fields.length === 0) return { do: name, ready: [{ do: name }], fields: [] };
  if (!Array.isArray(what)) return { do: name, ready: [], fields: isObject(what) ? bounded(fields, what) : fields };
  if (what.length === 0) return null;
  if (what.length > MOST_BUTTONS && !isObject(what[0])) return { do: name, ready: [], fields: bounded(fields, { [fields[0]!.name]: what }) };
  const ready = what.map((each): Action => ({ do: name, ...(isObject(each) ? each : { [fields[0]!.name]: each }) }));
  return { do: name, ready, fields: [] };
}

/** The fields with what `legal` says of them: a list of values, or `least` and `most`. */
function bounded(fields: OptionField[], by: Record<string, unknown>): OptionField[] {
  return fields.map((field) => {
    const said = by[field.name];
    if (Array.isArray(said) && said.length && !said.some(isObject)) {
      const choices = said.map((value: OptionValue) => field.choices.find((each) => each.value === value) ?? { value, label: String(value) });
      return { ...field, kind: 'choice', choices, usual: choices[0]!.value };
    }
    if (!isObject(said)) return field;
    const [least, most] = [numberOr(said.least, field.least), numberOr(said.most, field.most)];
    return { ...field, least, most, usual: typeof field.usual === 'number' ? Math.max(field.usual, least ?? field.usual) : field.usual };
  });
}

function numberOr(value: unknown, other: number | undefined): number | undefined {
  return typeof value === 'number' ? value : other;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
