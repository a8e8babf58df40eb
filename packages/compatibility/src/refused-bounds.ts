import type { JsonSchema } from './json-schema.ts';

export function boundsRefused(sent: JsonSchema, accepted: JsonSchema): readonly string[] {
  return [
    ...lower('characters', sent.minLength ?? 0, accepted.minLength),
    ...upper('characters', sent.maxLength, accepted.maxLength),
    ...lower('entries', sent.minItems ?? 0, accepted.minItems),
    ...upper('entries', sent.maxItems, accepted.maxItems),
    ...lower('', sent.minimum ?? sent.exclusiveMinimum, accepted.minimum),
    ...upper('', sent.maximum ?? sent.exclusiveMaximum, accepted.maximum),
    ...lower('', above(sent), accepted.exclusiveMinimum),
    ...upper('', below(sent), accepted.exclusiveMaximum),
    ...form('pattern', sent.pattern, accepted.pattern),
    ...form('format', sent.format, accepted.format),
  ];
}

const words = (bound: number, unit: string): string => (unit ? `${bound} ${unit}` : String(bound));

const lower = (unit: string, sent: number | undefined, accepted: number | undefined): string[] =>
  accepted === undefined || (sent !== undefined && sent >= accepted) ? [] : [`may be below ${words(accepted, unit)}`];

const upper = (unit: string, sent: number | undefined, accepted: number | undefined): string[] =>
  accepted === undefined || (sent !== undefined && sent <= accepted) ? [] : [`may be above ${words(accepted, unit)}`];

const above = ({ exclusiveMinimum, minimum }: JsonSchema): number | undefined =>
  exclusiveMinimum ?? (minimum === undefined ? undefined : minimum - Number.EPSILON * Math.max(1, Math.abs(minimum)));
const below = ({ exclusiveMaximum, maximum }: JsonSchema): number | undefined =>
  exclusiveMaximum ?? (maximum === undefined ? undefined : maximum + Number.EPSILON * Math.max(1, Math.abs(maximum)));

const form = (kind: string, sent: string | undefined, accepted: string | undefined): string[] =>
  accepted === undefined || accepted === sent ? [] : [`may not match the ${kind} ${accepted}`];

const compared = new Set([
  '$ref',
  '$defs',
  'type',
  'const',
  'enum',
  'anyOf',
  'oneOf',
  'allOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'default',
]);

export const otherwiseRefused = (sent: JsonSchema, accepted: JsonSchema): readonly string[] => {
  const [sender, reader] = [sent, accepted].map(
    (schema) => new Map(Object.entries(schema).filter(([key]) => !compared.has(key) && !key.startsWith('x-'))),
  );
  return [...(reader ?? [])]
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(sender?.get(key)) && !isAnyName(key, value))
    .map(([key, value]) => `may not fit ${key} ${JSON.stringify(value)}`);
};

const isAnyName = (key: string, value: unknown): boolean => key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}';
