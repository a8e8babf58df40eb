import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { pagesWithLists, withRooms } from './architecture.ts';
import { circlesOfWings, findBreaches } from './find-breaches.ts';
import { reachOf } from './reach.ts';
import { checkout, readDocuments, readFiles } from './read-files.ts';

const files = readFiles();
const standing = new Set(findBreaches(files));

const planted = (path: string, text: string): string[] =>
  findBreaches(new Map([...files, [path, text]])).filter((breach) => !standing.has(breach));

test('no file of the checkout breaks the table of rooms', () => {
  expect([...standing]).toEqual([]);
});

test.each(pagesWithLists)('%s shows rooms and wings as they are', (path) => {
  const page = readFileSync(`${checkout}/${path}`, 'utf8');
  expect(page).toBe(withRooms(page));
});

test('the reach of a file counts files whose values it imports, and behind an index.ts the file where the name stands', () => {
  const src = 'services/orders/src';
  const wing = new Map([
    [`${src}/a/operations.ts`, `import { type T, b } from '../b/index.ts'; import type { C } from '../c/tables.ts';`],
    [`${src}/b/index.ts`, `export { b } from './rules.ts'; export { type T } from './tables.ts'; export { d } from './sagas.ts';`],
    [`${src}/b/rules.ts`, `import { e } from './tables.ts'; export const b = e;`],
    [`${src}/b/sagas.ts`, 'export const d = 1;'],
    [`${src}/b/tables.ts`, 'export type T = 1; export const e = 1;'],
    [`${src}/c/tables.ts`, 'export type C = 1;'],
  ]);
  expect([...reachOf(`${src}/a/operations.ts`, wing)]).toEqual(['a/operations', 'b/rules', 'b/tables'].map((file) => `${src}/${file}.ts`));
});

test('a reader of createOrder meets at most 40 files of its service', () => {
  expect(reachOf('services/orders/src/checkout/operations.ts', files).size).toBeLessThanOrEqual(40);
});

test('the context that all wings of orders share imports no wing but the kernel', () => {
  expect(files.get('services/orders/src/context.ts')).not.toMatch(/from '\.\/(?!config|order\/|provider\/)/);
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
      'checkout/operations/planted.ts',
      `import { x } from '../../../../loyalty/src/context.ts';`,
      'reaches into services/loyalty',
    ],
    [
      'a service imports another by a dynamic import',
      'checkout/operations/planted.ts',
      `await import('../../../../loyalty/src/context.ts');`,
      'reaches into services/loyalty',
    ],
    [
      'a service imports a type of another',
      'checkout/operations/planted.ts',
      `let a: import('../../../../loyalty/src/context.ts').Context;`,
      'reaches into services/loyalty',
    ],
    [
      'a service imports a path that it computes',
      'checkout/operations/planted.ts',
      'await import(`../../../../\u0024{name}/src/context.ts`);',
      'computed path',
    ],
    [
      'a service imports another by its package name',
      'checkout/operations/planted.ts',
      `import { x } from '@corner/loyalty/testing';`,
      'imports @corner/loyalty/testing',
    ],
    [
      'SQL names the schema of another service',
      'checkout/tables/planted.ts',
      'export const x = sql`select 1 from loyalty.stamp`;',
      'names the schema loyalty',
    ],
    [
      'source imports what is for tests',
      'checkout/operations/planted.ts',
      `import { x } from '../../testing/running.ts';`,
      'for tests only',
    ],
    ['source imports the testkit', 'checkout/sagas/planted.ts', `import { until } from '@corner/testkit';`, 'imports @corner/testkit'],
    [
      'an entry point imports another',
      'checkout/operations/planted.ts',
      `import { createOrder } from '../operations.ts';`,
      'an entry point never calls another',
    ],
    [
      'an entry point reaches another through the list of entry points',
      'checkout/operations/planted.ts',
      `import { ordersService } from '../../service.ts';`,
      'may not import service',
    ],
    ['a file stands in no room', 'planted.ts', 'export const x = 1;', 'is in no room'],
    ['a room has an unknown name', 'helpers/planted.ts', 'export const x = 1;', 'is in no room'],
    ['a rule reads the clock by Date.now()', 'checkout/rules/planted.ts', 'export const x = () => Date.now();', 'uses Date.now'],
    [
      'a rule reads the clock by Temporal',
      'checkout/rules/planted.ts',
      'export const x = () => Temporal.Now.instant();',
      'uses Temporal.Now',
    ],
    ['a rule reads the clock by new Date()', 'checkout/rules/planted.ts', 'export const x = () => new Date();', 'uses new Date()'],
    ['a rule reads the environment', 'checkout/rules/planted.ts', 'export const x = process.env.PORT;', 'uses process.env'],
    ['a rule imports cryptography', 'checkout/rules/planted.ts', `import { createHmac } from 'node:crypto';`, 'imports node:crypto'],
    ['a rule uses the global crypto', 'checkout/rules/planted.ts', 'export const x = () => crypto.randomUUID();', 'uses crypto.randomUUID'],
    ['a rule imports the database', 'checkout/rules/planted.ts', `import { sql } from 'slonik';`, 'imports slonik'],
    ['a rule draws a random number', 'checkout/rules/planted.ts', 'export const x = () => Math.random();', 'uses Math.random'],
    ['an operation reads the environment', 'checkout/operations/planted.ts', 'export const x = process.env.PORT;', 'reads process.env'],
    ['a table refuses', 'checkout/tables/planted.ts', `import { Problem } from '@corner/contracts';`, 'imports Problem'],
    [
      'a transaction translates the error of a constraint',
      'payment/transactions/planted.ts',
      `import { UniqueIntegrityConstraintViolationError } from 'slonik';`,
      'imports slonik',
    ],
    ['an operation writes SQL', 'checkout/operations/planted.ts', `import { sql } from 'slonik';`, 'imports slonik'],
    ['a table publishes', 'checkout/tables/planted.ts', `import { publish } from '@corner/chassis';`, 'imports publish'],
    [
      'a transaction calls an adapter',
      'disputes/transactions/planted.ts',
      `import { createDisputes } from '../adapters.ts';`,
      'may not import adapters',
    ],
    ['a room of a service with wings stands in none of them', 'rules/planted.ts', 'export const x = 1;', 'stands in no wing'],
    [
      'a wing imports a file of another',
      'checkout/sagas/planted.ts',
      `import { reserveForOrder } from '../../payment/sagas.ts';`,
      'another wing is imported by its index.ts alone',
    ],
    [
      'a wing imports another that the table does not name',
      'shop/operations/planted.ts',
      `import { refundAtProvider } from '../../refunds/index.ts';`,
      'the wing shop may not import the wing refunds',
    ],
    [
      'the kernel imports a wing',
      'order/sagas/planted.ts',
      `import { reserveForOrder } from '../../payment/index.ts';`,
      'the wing order may not import the wing payment',
    ],
    [
      'a room takes through an index.ts what it may not import',
      'checkout/tables/planted.ts',
      `import { reserveForOrder } from '../../payment/index.ts';`,
      'tables may not import sagas',
    ],
    [
      'a wing takes all of another',
      'checkout/sagas/planted.ts',
      `import * as payment from '../../payment/index.ts';`,
      'imports all of services/orders/src/payment/index.ts',
    ],
    [
      'a room takes of the kernel what it may not import',
      'checkout/tables/planted.ts',
      `import { explain } from '../../order/sagas.ts';`,
      'tables may not import sagas',
    ],
  ])('%s', (_what, path, text, expected) => {
    expect(of(path, text)).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    [
      'the staff wing of loyalty imports taps',
      'staff/transactions/planted.ts',
      `import { useTap } from '../../codes-and-taps/index.ts';`,
      'the wing staff may not import the wing codes-and-taps',
    ],
    [
      'taps of loyalty import what uses them',
      'codes-and-taps/transactions/planted.ts',
      `import { requestMultiStamp } from '../../multi-stamp/transactions.ts';`,
      'the wing codes-and-taps may not import the wing multi-stamp',
    ],
    [
      'multi-stamp of loyalty imports a file of taps',
      'multi-stamp/transactions/planted.ts',
      `import { useTap } from '../../codes-and-taps/tables.ts';`,
      'another wing is imported by its index.ts alone',
    ],
  ])('%s', (_what, path, text, expected) => {
    expect(planted(`services/loyalty/src/${path}`, text)).toEqual([expect.stringContaining(expected)]);
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

  test.each([
    ['what operators’ tools stand on imports the sandbox', 'packages/operator/src', '@corner/sandbox/demo'],
    ['the console imports a simulator', 'services/console/src/operator', '@corner/sandbox/payments'],
    ['the console imports the controls of the simulators', 'services/console/src/people', '../sandbox/add-sandbox.ts'],
    ['a command of operators imports the sandbox', 'packages/cli/src/commands', '@corner/sandbox/system'],
    ['a command of operators imports one of development', 'packages/cli/src/commands', '../development/commands/tap.ts'],
  ])('%s', (_what, folder, specifier) => {
    expect(planted(`${folder}/planted.ts`, `import { x } from '${specifier}';`)).toEqual([expect.stringContaining('may not')]);
  });

  const [console, shop] = ['packages/console-pages/web', 'packages/shop-pages/web'];
  test.each([
    ['logic of pages imports React', `${console}/logic/planted.ts`, 'react', 'imports react'],
    [
      'logic of pages imports a component',
      `${console}/logic/planted.tsx`,
      '../components/id.tsx',
      'may not import console-pages components',
    ],
    ['a component imports the shell', `${console}/components/planted.tsx`, '../shell/request.ts', 'may not import console-pages shell'],
    ['the shell imports the list of pages', `${console}/shell/planted.tsx`, '../routes.tsx', 'may not import console-pages root'],
    ['the shell imports a page', `${console}/shell/planted.tsx`, '../pages/shop/send.ts', 'may not import console-pages pages'],
    [
      'an area imports a file of another',
      `${console}/pages/shop/customers/planted.tsx`,
      '../orders/order-card.tsx',
      'by its index.ts alone',
    ],
    [
      'an area imports one that the table does not name',
      `${console}/pages/shop/menu/planted.tsx`,
      '../orders/index.ts',
      'may not import the wing',
    ],
    ['what areas share imports one', `${console}/pages/shop/planted.tsx`, './orders/index.ts', 'may not import the wing'],
    ['pages import a module of Node', `${shop}/order/planted.ts`, 'node:fs', 'imports node:fs'],
    ['texts of the shop import what shows them', `${shop}/texts/planted.ts`, '../ui/button.tsx', 'may not import shop-pages ui'],
    ['what pages stand on imports a library of one of them', 'packages/page-kit/web/browser/planted.ts', 'preact/hooks', 'imports preact'],
    [
      'logic that pages share imports what a browser keeps',
      'packages/page-kit/web/logic/planted.ts',
      '../browser/storage.ts',
      'may not import page-kit browser',
    ],
    ['pages import a service', `${shop}/pages/me/planted.tsx`, '@corner/orders/testing', 'imports @corner/orders/testing'],
  ])('%s', (_what, path, specifier, expected) => {
    expect(
      planted(
        path,
        `import { x } from '${specifier}';\nexport const y = <b>{x}</b>;`.replace(/<b>.*<\/b>/, path.endsWith('x') ? '$&' : 'x'),
      ),
    ).toEqual([expect.stringContaining(expected)]);
  });

  test('two files of pages import types of each other', () => {
    const both = new Map([
      ...files,
      [`${console}/components/one.tsx`, `import type { Two } from './two.tsx';\nexport type One = Two;`],
      [`${console}/components/two.tsx`, `import type { One } from './one.tsx';\nexport type Two = One;`],
    ]);
    expect(findBreaches(both).filter((breach) => !standing.has(breach))).toEqual([expect.stringContaining('a cycle of imports')]);
  });

  test('pages in no room', () => {
    expect(planted(`${console}/helpers/planted.tsx`, 'export const x = <b />;')).toEqual([expect.stringContaining('is in no room')]);
  });

  test('a lower room of the chassis imports a higher one', () => {
    expect(planted('packages/chassis/src/telemetry/planted.ts', `import type { Relay } from '../outbox/relay.ts';`)).toEqual([
      expect.stringContaining('may not import chassis outbox'),
    ]);
  });

  test('two files import types of each other', () => {
    const both = new Map([
      ...files,
      [`${orders}/order/rules/one.ts`, `import type { Two } from './two.ts';\nexport type One = Two;`],
      [`${orders}/order/rules/two.ts`, `import type { One } from './one.ts';\nexport type Two = One;`],
    ]);
    expect(findBreaches(both).filter((breach) => !standing.has(breach))).toEqual([expect.stringContaining('a cycle of imports')]);
  });

  test('the table of wings has a circle', () => {
    const table = { one: { imports: ['two'] }, two: { imports: ['three'] }, three: { imports: ['one'] } };
    expect(circlesOfWings('example', table)).toEqual(['a circle in the table of wings of example: one -> two -> three -> one']);
  });
});
