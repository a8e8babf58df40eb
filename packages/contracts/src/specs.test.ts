import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { documents } from '../specs/documents.ts';
import { type EventContract, events, operations, problems, rpcs } from './index.ts';

describe('the promised operations', () => {
  test('are thirty, each with a name, and a method and path, of its own', () => {
    const promised = operations.filter(({ extension }) => !extension);
    expect(promised).toHaveLength(30);
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
  });

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has an example that fits, and names only known problems',
    (_, operation) => {
      const parts = [
        [operation.params, operation.example.params],
        [operation.query, operation.example.query],
        [operation.body, operation.example.body],
      ] as const;
      for (const [schema, value] of parts) if (schema) expect(schema.safeParse(value ?? {}).error?.issues ?? []).toEqual([]);
      for (const code of operation.problems) expect(problems).toHaveProperty(code);
      const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys((operation.params as { shape?: object } | undefined)?.shape ?? {})).toEqual(named);
    },
  );

  test('replay by the header wherever something changes, but where the body brings a key and secrets go out', () => {
    const wrong = operations.filter(
      ({ method, replay, name }) => replay !== (method === 'GET' ? 'none' : name === 'createOrder' ? 'body' : 'header'),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

test('every type and version of event, and every question, is declared once', () => {
  const types = events.map(({ type, version }: EventContract) => `${type} ${version}`);
  expect(new Set(types).size).toBe(types.length);
  expect(new Set(rpcs.map(({ name }) => name)).size).toBe(rpcs.length);
});

test.each(Object.entries(documents()))('%s is what the contracts say; `pnpm run specs` writes it anew', (name, text) => {
  expect(readFileSync(`${import.meta.dirname}/../specs/${name}`, 'utf8')).toBe(text);
});
