import { randomUUID } from 'node:crypto';
import { consumersOfDirectory, DirectoryFile, exportDirectory, readImportProgress, runImport, stageImport } from '@corner/contracts';
import { demoDirectory } from '@corner/sandbox/demo';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { entriesOf, exportFile, importFile } from '../testing/imports.ts';
import { type Running, startRunning } from '../testing/running.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const demo = () => DirectoryFile.parse(demoDirectory(running.clock.now()));
const count = (table: 'object' | 'change' | 'outbox') =>
  running.service.database.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*) from ${sql.identifier([table])}`);
const counts = async () => ({ object: await count('object'), change: await count('change'), outbox: await count('outbox') });

describe('importing a file', () => {
  test('writes, logs and publishes each object once; a second time does nothing', async () => {
    const first = await importFile(running, demo());
    expect(first.output).toEqual({ added: 18, changed: 0, unchanged: 0, published: 18 });
    expect(await counts()).toEqual({ object: 18, change: 18, outbox: 18 });
    expect(first.plan).toContain('menu of Corner Coffee: new, 9 items, 3 promos');
    expect(await importFile(running, demo())).toEqual({ output: { added: 0, changed: 0, unchanged: 18, published: 0 }, plan: [] });
    expect(await counts()).toEqual({ object: 18, change: 18, outbox: 18 });
  });

  test('lists every change in words, in a dry run and in the real one alike, and changes nothing else', async () => {
    const { stores, menus } = demo();
    const [store, menu] = [stores[0], menus[0]];
    if (!store || !menu) throw new Error('the demo has a store and a menu');
    const hours = [{ day: 1, opens: '08:00', closes: '17:00' }];
    await importFile(running, { stores: [{ ...store, hours }] });
    const content = {
      stores: [{ ...store, hours: [{ day: 1, opens: '09:00', closes: '17:00' }], contacts: [] }],
      menus: [{ ...menu, items: menu.items.map((item) => (item.id === 'flat-white' ? { ...item, price_pence: 360, stock: 5 } : item)) }],
    };
    const before = await counts();
    const dry = await importFile(running, content, { dry: true });
    expect(dry.output).toEqual({ added: 0, changed: 2, unchanged: 0, published: 2 });
    expect(dry.plan).toEqual([
      'store Corner Coffee: hours on Monday 08:00–17:00 → 09:00–17:00',
      'store Corner Coffee: contacts changed',
      'menu of Corner Coffee: item flat-white: price £3.40 → £3.60',
      'menu of Corner Coffee: item flat-white: stock none → 5',
    ]);
    expect(await counts()).toEqual(before);
    expect(await importFile(running, content)).toEqual(dry);
    expect(await counts()).toEqual({ object: 18, change: before.change + 2, outbox: before.outbox + 2 });
  });

  test('of a store without its slots publishes them again when its time zone changes', async () => {
    const { stores, slots } = demo();
    const before = await counts();
    const content = { stores: stores.map((store) => (store.code === 'S1' ? { ...store, time_zone: 'Europe/Paris' } : store)) };
    expect((await importFile(running, content)).output).toEqual({ added: 0, changed: 1, unchanged: 1, published: 2 });
    expect(await counts()).toEqual({ object: 18, change: before.change + 1, outbox: before.outbox + 2 });
    expect((await importFile(running, { slots })).output).toMatchObject({ changed: 0, published: 0 });
  });

  test('that cannot be made whole changes nothing, and says why', async () => {
    const { stores, customers } = demo();
    const [store] = stores;
    const before = await counts();
    const other = { ...store, id: '0190a000-0000-7000-8000-0000000000ff', code: 's2' };
    const refused = await importFile(running, { stores: [{ ...store, name: 'Renamed' }, other], customers }, { size: 1 });
    expect(refused).toMatchObject({ problem: 'VALIDATION_FAILED', message: 'another store has this code already: S2' });
    const [customer] = customers;
    const twice = { entries: entriesOf({ customers: [customer] }), by: 'tester' };
    const import_id = randomUUID();
    for (const part of [0, 1]) await running.call(stageImport, { ...twice, import_id, part });
    expect(await running.call(runImport, { import_id, parts: 2, by: 'tester' })).toMatchObject({ problem: 'VALIDATION_FAILED' });
    expect(await running.call(runImport, { import_id, parts: 3, by: 'tester' })).toMatchObject({
      message: '2 of 3 parts of the import have arrived',
    });
    const wrong = [{ kind: 'store' as const, id: other.id, data: { ...other, currency: 'XXX' } }];
    expect(await running.call(stageImport, { import_id, part: 0, entries: wrong, by: 'tester' })).toMatchObject({
      message: expect.stringMatching(/^stores 0190a000-\S+ currency: must be a currency/),
    });
    expect(await counts()).toEqual(before);
  });

  const [item, unknown] = [{ id: 'a', name: 'A', price_pence: 333 }, '0190a000-0000-7000-8000-0000000000fe'];
  const promos = Array.from({ length: 200 }, (_, at) => ({
    id: randomUUID(),
    code: `c${at}`,
    kind: 'amount',
    value: 1,
    label: 'x'.repeat(2_500),
  }));
  test.each<[string, { store_id?: string; currency?: string; items: object[]; promos?: object[] }, string]>([
    ['an item that is there twice', { items: [item, item] }, 'items.a: is there twice'],
    ['a NUL', { items: [{ ...item, name: 'a\0' }] }, 'items.a.name: holds a NUL character'],
    ['a store that there is not', { store_id: unknown, items: [item] }, `there is no store ${unknown}`],
    ['an amount that cannot be charged', { currency: 'KWD', items: [item] }, 'must be a multiple of 10'],
    ['more than an object may hold', { items: [], promos }, 'larger than 500 kB'],
  ])('with %s is refused', async (_, { currency, ...menu }, why) => {
    const [store] = demo().stores;
    const before = await counts();
    const content = { stores: currency ? [{ ...store, currency }] : [], menus: [{ store_id: store?.id, ...menu }] };
    expect(await importFile(running, content)).toMatchObject({ problem: 'VALIDATION_FAILED', message: expect.stringContaining(why) });
    expect(await counts()).toEqual(before);
  });

  test('is logged under the operator, and a repeat of the call returns the same', async () => {
    const { customers } = demo();
    const import_id = randomUUID();
    const entries = entriesOf({ customers: customers.slice(0, 1).map((customer) => ({ ...customer, language: 'fr' })) });
    await running.call(stageImport, { import_id, part: 0, entries, by: 'someone' });
    const first = await running.call(runImport, { import_id, parts: 1, by: 'someone' });
    expect(first.output).toEqual({ added: 0, changed: 1, unchanged: 0, published: 1 });
    const before = await counts();
    expect(await running.call(runImport, { import_id, parts: 1, by: 'someone' })).toEqual(first);
    expect(await counts()).toEqual(before);
    const newest = await running.service.database.one(
      sql.type(z.object({ by_id: z.string(), by_name: z.string(), fields: z.unknown() }))`
        select by_id, by_name, fields from change order by id desc limit 1`,
    );
    expect(newest).toEqual({ by_id: 'operator:tester', by_name: 'tester', fields: [{ field: 'language', from: null, to: 'fr' }] });
  });

  test('an export is the same file, and its import changes nothing', async () => {
    const exported = await exportFile(running);
    expect((await importFile(running, exported)).output).toMatchObject({ added: 0, changed: 0, published: 0 });
    const { menus } = demo();
    await importFile(running, { menus });
    const { output } = await running.call(exportDirectory, { store_code: 's1', by: 'tester' });
    expect(output?.entries.find(({ kind }) => kind === 'menu')?.data).toEqual(menus[0]);
    expect(output?.entries.map(({ kind }) => kind)).toEqual(['store', 'menu', 'slots', 'programme']);
  });
});

test('an import says of which services it is not known that they have its snapshots; one that published none waits for no service', async () => {
  const [import_id, id] = [randomUUID(), randomUUID()];
  const entries = entriesOf({ customers: [{ id }] });
  await running.call(stageImport, { import_id, part: 0, entries, by: 'tester' });
  const progress = () => running.call(readImportProgress, { import_id, by: 'tester' });
  expect(await progress()).toEqual({ output: { waiting: [], dead_lettered: [] } });
  await running.call(runImport, { import_id, parts: 1, by: 'tester' });
  const waiting = consumersOfDirectory.map((service) => ({ service, snapshots: null }));
  expect(await progress()).toEqual({ output: { waiting, dead_lettered: [] } });
});
