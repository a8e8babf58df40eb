import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { documents } from '../specs/documents.ts';
import { commonProblems, type EventContract, events, operations, problems, replayProblems, rpcs } from './index.ts';

describe('the operations', () => {
  test('are the thirty of the interface beside extensions, with unique names and routes', () => {
    const inInterface = operations.filter(({ extension }) => !extension);
    expect(inInterface).toHaveLength(30);
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
  });

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has an example that matches its schemas, and lists only known problems',
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

  test('use replay by header when they change something, except createOrder, which has its key in the body', () => {
    const unexpected = operations.filter(
      ({ method, replay, name }) => replay !== (method === 'GET' ? 'none' : name === 'createOrder' ? 'body' : 'header'),
    );
    expect(unexpected.map(({ name }) => name)).toEqual([]);
  });
});

test('a final refusal is about the request alone: never about its caller, a quota, a fault of ours or a wait', () => {
  const final = Object.entries(problems).filter(([, problem]) => problem.final);
  expect(final.filter(([, { status }]) => status >= 500 || [401, 403, 408, 425, 429].includes(status)).map(([code]) => code)).toEqual([]);
});

test('the problem examples of openapi.json say which refusals are final', () => {
  const { components } = JSON.parse(documents()['openapi.json'] ?? '');
  const marks = Object.entries(problems).map(([code, { final }]) => [code, final]);
  expect(marks.map(([code]) => [code, components.examples[String(code)]['x-final']])).toEqual(marks);
});

test('every event type and version, and every RPC name, is declared once', () => {
  const types = events.map(({ type, version }: EventContract) => `${type} ${version}`);
  expect(new Set(types).size).toBe(types.length);
  expect(new Set(rpcs.map(({ name }) => name)).size).toBe(rpcs.length);
});

test.each(Object.entries(documents()))('specs/%s is up to date with the contracts (`npm run specs` writes it)', (name, text) => {
  expect(readFileSync(`${import.meta.dirname}/../specs/${name}`, 'utf8')).toBe(text);
});

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'openapi.json documents every problem of %s under its status, and no others',
  (_, operation) => {
    const { paths, components } = JSON.parse(documents()['openapi.json'] ?? '');
    const responses: Readonly<Record<string, { $ref?: string }>> = paths[operation.path][operation.method.toLowerCase()].responses;
    const documented = Object.entries(responses).flatMap(([status, response]) => {
      const { content } = response.$ref ? components.responses[response.$ref.replace('#/components/responses/', '')] : response;
      return Object.keys(content?.['application/json'].examples ?? {}).map((code) => `${status} ${code}`);
    });
    const declared = new Set([...operation.problems, ...commonProblems, ...(operation.replay === 'header' ? replayProblems : [])]);
    expect(documented.sort()).toEqual([...declared].map((code) => `${problems[code].status} ${code}`).sort());
  },
);
