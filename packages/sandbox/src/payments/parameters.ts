import type { Form, FormParts } from './form.ts';
import { badParameter, missingParameter } from './refusal.ts';

/** `any` is accepted and ignored: Stripe knows the parameter, and it has no effect in the simulator. */
type Reading = 'string' | 'integer' | 'boolean' | 'metadata' | 'list' | 'range' | 'any' | { readonly [name: string]: Reading };
export type Readings = { readonly [name: string]: Reading };

export interface Range {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

type Value<R> = R extends 'string'
  ? string
  : R extends 'integer'
    ? number
    : R extends 'boolean'
      ? boolean
      : R extends 'metadata'
        ? Record<string, string>
        : R extends 'list'
          ? string[]
          : R extends 'range'
            ? Range
            : R extends 'any'
              ? Form
              : Parameters<R>;
export type Parameters<R> = { readonly [N in keyof R]?: Value<R[N]> };

export function readParameters<const R extends Readings>(form: FormParts, readings: R, within = ''): Parameters<R> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(form)) {
    const param = within === '' ? name : `${within}[${name}]`;
    const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
    if (reading === undefined) throw badParameter(param, `Received unknown parameter: ${param}`, 'parameter_unknown');
    read[name] = readOne(value, reading, param);
  }
  return read as Parameters<R>;
}

export function required<P, N extends keyof P & string>(parameters: P, name: N): NonNullable<P[N]> {
  const value = parameters[name];
  if (value === undefined || value === null) throw missingParameter(name);
  return value;
}

export function oneOf<const W extends string>(words: readonly W[], given: string, param: string): W {
  const word = words.find((known) => known === given);
  if (word === undefined) throw badParameter(param, `Invalid ${param}: must be one of ${words.join(', ')}`);
  return word;
}

function readOne(value: Form, reading: Reading, param: string): unknown {
  if (reading === 'any') return value;
  if (reading === 'metadata') return readMetadata(value, param);
  if (reading === 'range' && typeof value === 'object') {
    return readParameters(value, { gt: 'integer', gte: 'integer', lt: 'integer', lte: 'integer' }, param);
  }
  if (reading === 'list') {
    if (typeof value === 'string') throw badParameter(param, 'Invalid array');
    return Object.values(value);
  }
  if (typeof reading === 'object') {
    if (typeof value === 'string') throw badParameter(param, 'Invalid object');
    return readParameters(value, reading, param);
  }
  if (typeof value !== 'string') throw badParameter(param, `Invalid ${reading === 'range' ? 'integer' : reading}: an object was given`);
  if (value === '') {
    throw badParameter(
      param,
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      'parameter_invalid_empty',
    );
  }
  if (reading === 'boolean') return readBoolean(value, param);
  if (reading === 'integer') return readInteger(value, param);
  if (reading === 'range') return { gte: readInteger(value, param), lte: readInteger(value, param) };
  return value;
}

function readInteger(value: string, param: string): number {
  if (!/^-?\d{1,15}$/.test(value)) throw badParameter(param, `Invalid integer: ${value}`, 'parameter_invalid_integer');
  return Number(value);
}

function readBoolean(value: string, param: string): boolean {
  if (value !== 'true' && value !== 'false') throw badParameter(param, `Invalid boolean: ${value}`);
  return value === 'true';
}

function readMetadata(value: Form, param: string): Record<string, string> {
  if (value === '') return {};
  if (typeof value === 'string') throw badParameter(param, 'Invalid object');
  for (const [key, text] of Object.entries(value)) {
    const where = `${param}[${key}]`;
    if (typeof text !== 'string') throw badParameter(where, `Invalid string: an object was given`);
    if (key.length > 40) throw badParameter(where, 'Metadata key names can have up to 40 characters.');
    if (text.length > 500) throw badParameter(where, 'Metadata values can have up to 500 characters.');
  }
  if (Object.keys(value).length > 50) throw badParameter(param, 'Metadata can have up to 50 keys.');
  return { ...value } as Record<string, string>;
}

export function mergeMetadata(
  held: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...held, ...given }).filter(([, value]) => value !== ''));
}
