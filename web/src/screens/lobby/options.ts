/** The form of a variant's options, or of one of its actions, read from the JSON Schema that the house gives. */

import { house } from '../../house/house.svelte';
import type { Variant } from '../../house/types';
import { words } from './new_words';

export type OptionValue = number | boolean | string | null | readonly unknown[];

export interface OptionField {
  name: string;
  /** A list or a set of fields is laid out by the game itself, or not at all: who plays what is dealt, not filled in. */
  kind: 'integer' | 'number' | 'boolean' | 'choice' | 'text' | 'list';
  label: string;
  help: string;
  least?: number;
  most?: number;
  longest?: number;
  choices: { value: OptionValue; label: string }[];
  /** What is taken where nothing is chosen. */
  usual: OptionValue;
}

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  properties?: Record<string, Schema>;
  enum?: OptionValue[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: OptionValue;
}

export function optionFields(variant: Variant): OptionField[] {
  return formFields(variant.options, (key) => house.word(variant.game, variant.variant, key), 'option');
}

/** A field for each property of a JSON Schema; what it is called is among a game's words, behind a prefix. */
export function formFields(schema: unknown, word: (key: string) => string, prefix: string): OptionField[] {
  const root = schema as Schema;
  return Object.entries(resolved(root, root).properties ?? {}).map(([name, of]) =>
    field(`${prefix}.${name}`, name, resolved(of, root), word),
  );
}

/** What is chosen where nobody has chosen yet. */
export function usualOptions(fields: OptionField[]): Record<string, OptionValue> {
  return Object.fromEntries(fields.filter((each) => each.kind !== 'list').map((each) => [each.name, each.usual]));
}

/** The field that a refusal of the house speaks of: `$.width` in its reason, or an option's name in its code. */
export function fieldBlamed(fields: OptionField[], reason: string): string | null {
  const path = /\$\.(\w+)/.exec(reason)?.[1];
  if (path && fields.some((each) => each.name === path)) return path;
  const named = fields.filter((each) => reason.includes(each.name)).sort((one, other) => other.name.length - one.name.length);
  return named[0]?.name ?? null;
}

/** What is wrong with the value of an option, in words, before the house is asked. */
export function optionFault(field: OptionField, value: OptionValue | undefined): string | null {
  if (field.kind !== 'integer' && field.kind !== 'number') return null;
  if (typeof value !== 'number' || Number.isNaN(value)) return words('notANumber');
  const { least = -Infinity, most = Infinity } = field;
  const isOff = value < least || value > most || (field.kind === 'integer' && !Number.isInteger(value));
  return isOff ? words('outOfRange', { least: field.least ?? 0, most: field.most ?? '∞' }) : null;
}

function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref) {
    const { $ref, ...rest } = schema;
    return { ...resolved(root.$defs?.[$ref.split('/').at(-1)!] ?? {}, root), ...rest };
  }
  const real = schema.anyOf?.filter((each) => each.type !== 'null') ?? [];
  return real.length === 1 ? { ...resolved(real[0]!, root), ...schema, anyOf: undefined } : schema;
}

function field(key: string, name: string, schema: Schema, word: (key: string) => string): OptionField {
  const helpKey = `${key}.help`;
  const help = word(helpKey);
  const choices = (schema.enum ?? []).map((value) => {
    const valueKey = `${key}.${value}`;
    const label = word(valueKey);
    return { value, label: label === valueKey ? String(value) : label };
  });
  const kind = kindOf(schema);
  const empty = kind === 'boolean' ? false : kind === 'choice' ? (choices[0]?.value ?? null) : kind === 'text' ? '' : kind === 'list' ? [] : (schema.minimum ?? 0);
  return {
    name,
    kind,
    label: word(key) === key ? name : word(key),
    help: help === helpKey ? '' : help,
    least: schema.minimum,
    most: schema.maximum,
    longest: schema.maxLength,
    choices,
    usual: schema.default ?? empty,
  };
}

function kindOf(schema: Schema): OptionField['kind'] {
  if (schema.enum) return 'choice';
  if (schema.type === 'array' || schema.type === 'object') return 'list';
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') return schema.type;
  return 'text';
}
