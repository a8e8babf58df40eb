import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { eventExample } from '../specs/examples.ts';
import { type AnyOperation, Envelope, type EventContract, events, operations } from './index.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const undescribed = (schema: Schema, path = ''): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description === undefined ? [`${path}${name}`] : []),
    ...undescribed(field, `${path}${name}.`),
  ]),
  ...[schema.items, ...(schema.anyOf ?? [])].flatMap((inner) => (inner ? undescribed(inner, path) : [])),
];
const schemaOf = (type: z.ZodType, io: 'input' | 'output' = 'output'): Schema =>
  z.toJSONSchema(type, { io, unrepresentable: 'any', reused: 'inline' }) as Schema;

test.each(events.map((event): [string, EventContract] => [event.type, event]))('each field of %s says what it means', (_, { data }) => {
  expect(undescribed(schemaOf(data))).toEqual([]);
});

test.each(operations.map((operation): [string, AnyOperation] => [operation.name, operation]))(
  'each field of a request to %s says what it means',
  (_, { params, query, body }) => {
    expect([params, query, body].flatMap((part) => (part ? undescribed(schemaOf(part, 'input')) : []))).toEqual([]);
  },
);

test('a field without a meaning is found, in an object, a list and an alternative', () => {
  const data = z.object({
    a: z.array(z.object({ b: z.string() })).describe('A.'),
    c: z.object({ d: z.string() }).nullable().describe('C.'),
  });
  expect(undescribed(schemaOf(data))).toEqual(['a.b', 'c.d']);
  expect(undescribed(schemaOf(Envelope))).not.toContain('id');
});

test.each(events.map((event): [string, EventContract] => [event.type, event]))(
  '%s has an example that its contract accepts',
  (type, event) => {
    expect(Envelope.extend({ data: event.data }).parse(eventExample(event))).toMatchObject({ type });
  },
);
