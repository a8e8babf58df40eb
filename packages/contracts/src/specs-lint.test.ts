import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** The rules that differ from the linter's strictest set. */
const rules = {
  // There is no licence for outside users yet.
  'info-license': 'off',
  // The examples include problems that belong to no operation: no such route, a request that cannot be parsed.
  'no-unused-components': 'off',
  // These are not in the set.
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

const textOf = (name: string): string => readFileSync(`${import.meta.dirname}/../specs/${name}`, 'utf8');

test.each(['openapi.json', 'asyncapi.json'])('specs/%s passes the linter', async (name) => {
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source: textOf(name), absoluteRef: `/${name}`, config });
  expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)).toEqual([]);
});

test('the linter reports a dangling reference, and an unknown field in either document', async () => {
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const broken = async (name: string) => {
    const source = textOf(name)
      .replace('#/components/schemas/Order"', '#/components/schemas/Nowhere"')
      .replace('"info": {', '"info": { "colour": "green",');
    return new Set((await lintFromString({ source, absoluteRef: `/${name}`, config })).map(({ ruleId }) => ruleId));
  };
  expect(await broken('openapi.json')).toEqual(new Set(['no-unresolved-refs', 'struct']));
  expect(await broken('asyncapi.json')).toEqual(new Set(['struct']));
});

test('every operation of asyncapi.json refers to an existing channel, and every channel has one (the linter does not check this)', () => {
  const { channels, operations } = JSON.parse(textOf('asyncapi.json'));
  const used = Object.values<{ channel: { $ref: string } }>(operations).map(({ channel }) => channel.$ref.replace('#/channels/', ''));
  expect(used.toSorted()).toEqual(Object.keys(channels).toSorted());
});
