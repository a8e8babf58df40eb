import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** The strictest set of the linter, but for two rules. */
const rules = {
  // Nobody outside is licensed to anything yet.
  'info-license': 'off',
  // Refusals that no operation documents (no such route, a request that cannot be parsed) are listed all the same.
  'no-unused-components': 'off',
  // The rules that are not in the set, and are kept.
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

test.each(['openapi.json', 'asyncapi.json'])('%s is what its specification allows and what its readers can use', async (name) => {
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const found = await lintFromString({ source: textOf(name), absoluteRef: `/${name}`, config });
  expect(found.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)).toEqual([]);
});

test('the linter would see a reference to nothing, and in either document a field that no specification knows', async () => {
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

test('every event is told in a channel there is: the linter does not follow these references', () => {
  const { channels, operations } = JSON.parse(textOf('asyncapi.json'));
  const told = Object.values<{ channel: { $ref: string } }>(operations).map(({ channel }) => channel.$ref.replace('#/channels/', ''));
  expect(told.toSorted()).toEqual(Object.keys(channels).toSorted());
});
