/** The form of a variant's options, read from the JSON Schema that the house gives. */

import { house } from '../../house/house.svelte';
import type { Variant } from '../../house/types';
import { words } from './new_words';

export type OptionValue = number | boolean | string | null | readonly unknown[];

export interface OptionField {
  name: string;
  /** A list is laid out by the game itself, or not at all: who plays what is dealt, not filled in. */
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
  const root = variant.options as Schema;
  const form = resolved(root, root);
  return Object.entries(form.properties ?? {})
    .map(([name, schema]): [string, Schema] => [name, resolved(schema, root)])
    .map(([name, schema]) => field(variant, name, schema));
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

function field(variant: Variant, name: string, schema: Schema): OptionField {
  const word = (key: string) => house.word(variant.game, variant.variant, key);
  const helpKey = `option.${name}.help`;
  const help = word(helpKey);
  const choices = (schema.enum ?? []).map((value) => {
    const key = `option.${name}.${value}`;
    const label = word(key);
    return { value, label: label === key ? String(value) : label };
  });
  const kind = kindOf(schema);
  const empty = kind === 'boolean' ? false : kind === 'choice' ? (choices[0]?.value ?? null) : kind === 'text' ? '' : kind === 'list' ? [] : (schema.minimum ?? 0);
  return {
    name,
    kind,
    label: word(`option.${name}`) === `option.${name}` ? name : word(`option.${name}`),
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
  if (schema.type === 'array') return 'list';
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') return schema.type;
  return 'text';
}
