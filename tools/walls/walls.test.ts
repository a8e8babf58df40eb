import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { architecturePath, withRooms } from './architecture.ts';
import { findBreaches } from './find-breaches.ts';
import { checkout, readDocuments, readFiles } from './read-files.ts';

const files = readFiles();
const standing = new Set(findBreaches(files));

/** The breaches that a file brings when it is added to the checkout, or put in the place of one. */
const planted = (path: string, text: string): string[] =>
  findBreaches(new Map([...files, [path, text]])).filter((breach) => !standing.has(breach));

test('no file of the checkout breaks the table of rooms', () => {
  expect([...standing]).toEqual([]);
});

test('docs/architecture.md shows the rooms as they are', () => {
  const page = readFileSync(`${checkout}/${architecturePath}`, 'utf8');
  expect(page).toBe(withRooms(page));
});

test('every file that the documents name exists', () => {
  const named = [...readDocuments()].flatMap(([page, text]) =>
    [...text.matchAll(/`((?:services|packages|tools|docs|deploy)\/[\w./-]+\.[a-z]+)`/g)].map(([, path = '']) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ path }) => !existsSync(`${checkout}/${path}`))).toEqual([]);
});

describe('a planted breach is found', () => {
  const orders = 'services/orders/src';
  const of = (path: string, text: string) => planted(`${orders}/${path}`, text);

  test.each([
    [
      'a service imports another by a relative path',
      'operations/planted.ts',
      `import { x } from '../../../loyalty/src/context.ts';`,
      'reaches into services/loyalty',
    ],
    [
      'a service imports another by a dynamic import',
      'operations/planted.ts',
      `await import('../../../loyalty/src/context.ts');`,
      'reaches into services/loyalty',
    ],
    [
      'a service imports a type of another',
      'operations/planted.ts',
      `let a: import('../../../loyalty/src/context.ts').Context;`,
      'reaches into services/loyalty',
    ],
    [
      'a service imports a path that it computes',
      'operations/planted.ts',
      'await import(`../../../\u0024{name}/src/context.ts`);',
      'computed path',
    ],
    [
      'a service imports another by its package name',
      'operations/planted.ts',
      `import { x } from '@corner/loyalty/testing';`,
      'imports @corner/loyalty/testing',
    ],
    [
      'SQL names the schema of another service',
      'tables/planted.ts',
      'export const x = sql`select 1 from loyalty.stamp`;',
      'names the schema loyalty',
    ],
    ['source imports what is for tests', 'operations/planted.ts', `import { x } from '../testing/running.ts';`, 'for tests only'],
    ['source imports the testkit', 'sagas/planted.ts', `import { until } from '@corner/testkit';`, 'imports @corner/testkit'],
    [
      'an entry point imports another',
      'operations/planted.ts',
      `import { getOrder } from './read-orders.ts';`,
      'an entry point never calls another',
    ],
    [
      'an entry point reaches another through the list of entry points',
      'operations/planted.ts',
      `import { ordersService } from '../service.ts';`,
      'may not import service',
    ],
    ['a file stands in no room', 'planted.ts', 'export const x = 1;', 'is in no room'],
    ['a room has an unknown name', 'helpers/planted.ts', 'export const x = 1;', 'is in no room'],
    ['a rule reads the clock by Date.now()', 'rules/planted.ts', 'export const x = () => Date.now();', 'uses Date.now'],
    ['a rule reads the clock by new Date()', 'rules/planted.ts', 'export const x = () => new Date();', 'uses new Date()'],
    ['a rule reads the environment', 'rules/planted.ts', 'export const x = process.env.PORT;', 'uses process.env'],
    ['a rule imports cryptography', 'rules/planted.ts', `import { createHmac } from 'node:crypto';`, 'imports node:crypto'],
    ['a rule uses the global crypto', 'rules/planted.ts', 'export const x = () => crypto.randomUUID();', 'uses crypto.randomUUID'],
    ['a rule imports the database', 'rules/planted.ts', `import { sql } from 'slonik';`, 'imports slonik'],
    ['a rule draws a random number', 'rules/planted.ts', 'export const x = () => Math.random();', 'uses Math.random'],
    ['an operation reads the environment', 'operations/planted.ts', 'export const x = process.env.PORT;', 'reads process.env'],
    ['a table refuses', 'tables/planted.ts', `import { Problem } from '@corner/contracts';`, 'imports Problem'],
    ['a table publishes', 'tables/planted.ts', `import { publish } from '@corner/chassis';`, 'imports publish'],
    [
      'a transaction calls an adapter',
      'transactions/planted.ts',
      `import { createPayments } from '../adapters/payments.ts';`,
      'may not import adapters',
    ],
  ])('%s', (_what, path, text, expected) => {
    expect(of(path, text)).toEqual([expect.stringContaining(expected)]);
  });

  test('the gateway imports a service', () => {
    expect(planted('services/gateway/src/limits/planted.ts', `import { x } from '../../../orders/src/context.ts';`)).toEqual([
      expect.stringContaining('reaches into services/orders'),
    ]);
  });

  test('the testkit imports the chassis', () => {
    expect(planted('packages/testkit/src/planted.ts', `import { migrate } from '@corner/chassis';`)).toEqual([
      expect.stringContaining('imports @corner/chassis'),
    ]);
  });

  test('a lower room of the chassis imports a higher one', () => {
    expect(planted('packages/chassis/src/telemetry/planted.ts', `import type { Relay } from '../outbox/relay.ts';`)).toEqual([
      expect.stringContaining('may not import chassis outbox'),
    ]);
  });

  test('two files import types of each other', () => {
    const both = new Map([
      ...files,
      [`${orders}/rules/one.ts`, `import type { Two } from './two.ts';\nexport type One = Two;`],
      [`${orders}/rules/two.ts`, `import type { One } from './one.ts';\nexport type Two = One;`],
    ]);
    expect(findBreaches(both).filter((breach) => !standing.has(breach))).toEqual([expect.stringContaining('a cycle of imports')]);
  });
});
