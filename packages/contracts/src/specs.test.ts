import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { asyncapi } from '../specs/asyncapi.ts';
import { chapters } from '../specs/chapters.ts';
import { replyExample } from '../specs/examples.ts';
import { describeOperation, openapiText } from '../specs/openapi.ts';
import {
  commonProblems,
  consumersOf,
  type EventContract,
  events,
  needsVersion,
  operations,
  type ProblemCode,
  type ProblemDescription,
  problems,
  replayProblems,
  rpcs,
  versionProblems,
} from './index.ts';

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

  test('use replay by header when they change something, except createOrder, which has its key in the body, and a token for an OAuth client, which only reads', () => {
    const unexpected = operations.filter(
      ({ method, replay, name, oauthClient }) =>
        replay !== (method === 'GET' || oauthClient ? 'none' : name === 'createOrder' ? 'body' : 'header'),
    );
    expect(unexpected.map(({ name }) => name)).toEqual([]);
  });
});

test('a final refusal is about the request alone: never about its caller, a quota, a fault of ours or a wait', () => {
  const final = Object.entries(problems).filter(([, problem]) => problem.final);
  expect(final.filter(([, { status }]) => status >= 500 || [401, 403, 408, 425, 429].includes(status)).map(([code]) => code)).toEqual([]);
});

test('a final refusal proves that nothing was done, and neither a token, a quota, a wait nor a fault of ours does', () => {
  const all = Object.entries<ProblemDescription>(problems);
  expect(all.filter(([, { final, nothingDone }]) => final && !nothingDone).map(([code]) => code)).toEqual([]);
  const proving = all.filter(([, { status, nothingDone }]) => nothingDone && (status >= 500 || [401, 403, 408, 425, 429].includes(status)));
  expect(proving.map(([code]) => code)).toEqual([
    'NOT_IMPLEMENTED',
    'REFUND_REJECTED',
    'NFC_PROOF_REQUIRED',
    'NFC_PROOF_INVALID',
    'NFC_TAG_WRONG_STORE',
    'MULTI_STAMP_DISABLED',
    'PLAN_NOT_ENTITLED',
    'STAFF_CREDENTIAL_REQUIRED',
    'STAFF_CREDENTIAL_INVALID',
  ]);
});

test('every event type and version, and every RPC name, is declared once', () => {
  const types = events.map(({ type, version }: EventContract) => `${type} ${version}`);
  expect(new Set(types).size).toBe(types.length);
  expect(new Set(rpcs.map(({ name }) => name)).size).toBe(rpcs.length);
});

test('a recorded reply is one that its RPC may return', () => {
  const recorded = rpcs.filter(({ name }) => replyExample(name));
  expect(recorded.length).toBeGreaterThan(5);
  for (const { name, output } of recorded) expect([name, output.safeParse(replyExample(name)).error?.issues]).toEqual([name, undefined]);
});

describe('openapi.json', () => {
  const { paths, components } = JSON.parse(openapiText());

  test('is up to date with the contracts (`npm run specs` writes it)', () => {
    expect(readFileSync(`${import.meta.dirname}/../specs/openapi.json`, 'utf8')).toBe(openapiText());
  });

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    'documents every problem of %s under its status, and no others',
    (_, operation) => {
      const responses: Readonly<Record<string, { $ref?: string }>> = paths[operation.path][operation.method.toLowerCase()].responses;
      const documented = Object.entries(responses).flatMap(([status, response]) => {
        const { content } = response.$ref ? components.responses[response.$ref.replace('#/components/responses/', '')] : response;
        return Object.keys(content?.['application/json'].examples ?? {}).map((code) => `${status} ${code}`);
      });
      const declared = new Set([
        ...operation.problems,
        ...commonProblems,
        ...(operation.replay === 'header' ? replayProblems : []),
        ...(needsVersion(operation) ? versionProblems : []),
        ...(operation.caller.partner ? (['INSUFFICIENT_SCOPE'] as const) : []),
      ]);
      expect(documented.sort()).toEqual([...declared].map((code) => `${problems[code].status} ${code}`).sort());
    },
  );

  test('says of each problem that an operation returns whether it is final', () => {
    const marks = Object.entries<{ 'x-final': boolean }>(components.examples).map(([code, example]) => [code, example['x-final']]);
    expect(marks).toEqual(marks.map(([code]) => [code, problems[code as ProblemCode].final]));
    expect(marks.length).toBeGreaterThan(80);
  });
});

describe('an independent linter', () => {
  const rules = {
    // There is no licence for outside users yet.
    'info-license': 'off',
    'no-invalid-schema-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    'no-http-verbs-in-paths': 'error',
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'tags-alphabetical': 'off',
    'component-name-unique': 'error',
    'no-unresolved-refs': 'error',
    struct: 'error',
  } as const;
  const documents = { 'openapi.json': openapiText(), 'asyncapi.json': JSON.stringify(asyncapi()) };
  const lint = async (name: string, source: string) => {
    const config = await createConfig({ extends: ['recommended-strict'], rules });
    return await lintFromString({ source, absoluteRef: `/${name}`, config });
  };

  test.each(Object.entries(documents))('finds no error in %s, and no component that nothing refers to', async (name, text) => {
    const found = await lint(name, text);
    expect(found.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)).toEqual([]);
  });

  test('finds a dangling reference, an unused component, and an unknown field in either document', async () => {
    const broken = async (name: keyof typeof documents) => {
      const text = documents[name]
        .replace('#/components/schemas/Order"', '#/components/schemas/Nowhere"')
        .replace('"examples": {\n   "', '"examples": {\n   "UNUSED": {},\n   "')
        .replace(/"info": ?\{/, '"info": { "colour": "green",');
      return new Set((await lint(name, text)).map(({ ruleId }) => ruleId));
    };
    expect(await broken('openapi.json')).toEqual(new Set(['no-unresolved-refs', 'no-unused-components', 'struct']));
    expect(await broken('asyncapi.json')).toEqual(new Set(['struct']));
  });
});

test('openapi.json is valid by the JSON Schema of OpenAPI itself, and a document with an unknown field is not', async () => {
  const document = JSON.parse(openapiText());
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  expect(await new Validator().validate({ ...document, colour: 'green' })).toMatchObject({ valid: false });
});

test('a deprecated operation is marked in the description, with its headers', () => {
  const [contract, chapter] = [operations[0], chapters[0]];
  if (!contract || !chapter) throw new Error('there is no operation');
  const described = describeOperation(
    { ...contract, deprecated: { since: '2026-01-15', sunset: '2027-02-01', use: 'readThing' } },
    chapter,
  );
  expect(described).toMatchObject({
    deprecated: true,
    description: expect.stringMatching(/^Deprecated since 2026-01-15; it may be gone from 2027-02-01\. Use readThing instead\./),
    'x-deprecated': { sunset: '2027-02-01' },
    responses: { '200': { headers: { shape: { Deprecation: {}, Sunset: {}, Link: {} } } } },
  });
});

describe('asyncapi.json', () => {
  const { channels, operations: described } = asyncapi();

  test('has operations of existing channels only, and one that publishes to each channel', () => {
    const at = ({ channel }: Described) => channel.$ref.replace('#/channels/', '');
    const all = Object.values(described) as unknown as readonly Described[];
    expect(Object.keys(channels)).toEqual(expect.arrayContaining(all.map(at)));
    const sent = all.filter(({ action }) => action === 'send').map(at);
    expect(sent.toSorted()).toEqual(Object.keys(channels).toSorted());
  });

  test('says of each event which services receive it', () => {
    const names = Object.keys(described);
    for (const event of events)
      for (const producer of event.producers)
        for (const consumer of consumersOf(event))
          expect(names).toContain(`${consumer} receives ${producer}.${event.type}.v${event.version}`);
    expect(names.filter((name) => name.includes(' receives ')).length).toBeGreaterThan(40);
  });
});

interface Described {
  readonly action: string;
  readonly channel: { readonly $ref: string };
}
