import type { JsonSchema } from './json-schema.ts';
import { boundsRefused, otherwiseRefused } from './refused-bounds.ts';

export interface Refused {
  readonly at: string;
  readonly why: string;
}

/**
 * Returns why a reader may refuse a value that a sender may send. A reader skips unknown fields unless its schema closes the object.
 * Undecidable cases, such as two different patterns, count as refusals.
 */
export const refusedValues = (sent: JsonSchema, accepted: JsonSchema): readonly Refused[] =>
  refusedIn({ sent, accepted, at: '' }, [sent, accepted]);

interface Pair {
  readonly sent: JsonSchema;
  readonly accepted: JsonSchema;
  readonly at: string;
}
export type Roots = readonly [sent: JsonSchema, accepted: JsonSchema];

export function refusedIn({ sent: sender, accepted: reader, at }: Pair, roots: Roots): readonly Refused[] {
  const [sent, accepted] = [resolve(sender, roots[0]), resolve(reader, roots[1])];
  if (takesAll(accepted) || JSON.stringify(sent) === JSON.stringify(accepted)) return [];
  const each = (senders: readonly JsonSchema[]) => senders.flatMap((one) => refusedIn({ sent: one, accepted, at }, roots));
  if (sent.anyOf ?? sent.oneOf) return each(sent.anyOf ?? sent.oneOf ?? []);
  if (sent.enum) return each(sent.enum.map((value) => ({ const: value })));
  if (accepted.allOf) return accepted.allOf.flatMap((one) => refusedIn({ sent, accepted: one, at }, roots));
  const branches = accepted.anyOf ?? accepted.oneOf;
  if (branches) return fewest(branches.map((one) => refusedIn({ sent, accepted: one, at }, roots)));
  if (sent.allOf) return fewest([...sent.allOf, merged(sent.allOf)].map((one) => refusedIn({ sent: one, accepted, at }, roots)));
  if ('const' in sent) return constRefused(sent.const, accepted, at);
  if ('const' in accepted || accepted.enum) return [{ at, why: `may be other than ${written(accepted.enum ?? [accepted.const])}` }];
  return typeRefused({ sent, accepted, at }) ?? [...bounds(sent, accepted, at), ...partsRefused({ sent, accepted, at }, roots)];
}

const takesAll = (schema: JsonSchema): boolean => Object.keys(schema).every((key) => key === '$defs' || key === 'default');
const written = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');
const fewest = (results: readonly (readonly Refused[])[]): readonly Refused[] =>
  results.reduce((best, one) => (one.length < best.length ? one : best), results[0] ?? []);

export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { default: _default, type: types, ...rest } = schema;
  if (Array.isArray(types)) return { anyOf: types.map((type: string) => ({ ...rest, type })) };
  if (schema.$ref === undefined) return schema;
  const found = schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  if (!found) throw new Error(`the schema refers to ${schema.$ref}, which it does not have`);
  return found;
}

const merged = (parts: readonly JsonSchema[]): JsonSchema => ({
  ...Object.assign({}, ...parts),
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  required: parts.flatMap(({ required = [] }) => required),
});

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
};

const hasType = (type: JsonSchema['type'], wanted: JsonSchema['type']): boolean =>
  wanted === undefined || type === wanted || (type === 'integer' && wanted === 'number');

function constRefused(value: unknown, accepted: JsonSchema, at: string): readonly Refused[] {
  const { const: only, enum: allowed = 'const' in accepted ? [only] : undefined } = accepted;
  if (allowed) return allowed.includes(value) ? [] : [{ at, why: `may be ${written([value])}` }];
  if (!hasType(typeOf(value), accepted.type)) return [{ at, why: `may be ${written([value])}` }];
  const exact: JsonSchema =
    typeof value === 'string'
      ? { minLength: value.length, maxLength: value.length, ...(fits(value, accepted) ? pick(accepted) : {}) }
      : { minimum: Number(value), maximum: Number(value) };
  return bounds(exact, accepted, at);
}

const bounds = (sent: JsonSchema, accepted: JsonSchema, at: string): readonly Refused[] =>
  [...boundsRefused(sent, accepted), ...otherwiseRefused(sent, accepted)].map((why) => ({ at, why }));

const fits = (value: string, { pattern }: JsonSchema): boolean => pattern !== undefined && new RegExp(pattern, 'u').test(value);
const pick = ({ pattern, format }: JsonSchema): JsonSchema => ({ ...(pattern ? { pattern } : {}), ...(format ? { format } : {}) });

function typeRefused({ sent, accepted, at }: Pair): readonly Refused[] | null {
  if (accepted.type === undefined) return null;
  if (sent.type === undefined) return [{ at, why: `may be anything, not only ${accepted.type}` }];
  return hasType(sent.type, accepted.type) ? null : [{ at, why: `is ${sent.type}, not ${accepted.type}` }];
}

export const field = (at: string, name: string): string => (at ? `${at}.${name}` : name);

function partsRefused({ sent, accepted, at }: Pair, roots: Roots): readonly Refused[] {
  const { properties: fields = {}, required = [] } = sent;
  const missing = (accepted.required ?? [])
    .filter((name) => !required.includes(name))
    .map((name) => ({ at: field(at, name), why: fields[name] ? 'may be missing' : 'is missing' }));
  const refused = Object.entries(fields).flatMap(([name, one]) => {
    const reader = accepted.properties?.[name] ?? accepted.additionalProperties ?? true;
    if (reader === true) return [];
    if (reader === false) return [{ at: field(at, name), why: 'is not known' }];
    return refusedIn({ sent: one, accepted: reader, at: field(at, name) }, roots);
  });
  return [...missing, ...refused, ...entriesRefused({ sent, accepted, at }, roots), ...itemsRefused({ sent, accepted, at }, roots)];
}

function entriesRefused({ sent, accepted, at }: Pair, roots: Roots): readonly Refused[] {
  const { additionalProperties: sender } = sent;
  if (typeof sender !== 'object') return [];
  const readers = [...Object.values(accepted.properties ?? {}), accepted.additionalProperties ?? true];
  return readers.flatMap((reader) => {
    if (reader === true) return [];
    if (reader === false) return [{ at, why: 'may have fields that are not known' }];
    return refusedIn({ sent: sender, accepted: reader, at: `${at}{}` }, roots);
  });
}

function itemsRefused({ sent, accepted, at }: Pair, roots: Roots): readonly Refused[] {
  const places = Math.max(sent.prefixItems?.length ?? 0, accepted.prefixItems?.length ?? 0);
  const fixed = Array.from({ length: places }, (_, place) => ({
    sender: sent.prefixItems?.[place] ?? sent.items,
    reader: accepted.prefixItems?.[place] ?? accepted.items,
    place: `${at}[${place}]`,
  }));
  const others = { sender: sent.items, reader: accepted.items, place: `${at}[]` };
  const missing = fixed.filter(({ sender, reader }) => !sender && reader).map(({ place }) => ({ at: place, why: 'is missing' }));
  const refused = [...fixed, others].flatMap(({ sender, reader, place }) =>
    sender && reader ? refusedIn({ sent: sender, accepted: reader, at: place }, roots) : [],
  );
  return [...missing, ...refused];
}
