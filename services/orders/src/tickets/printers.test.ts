// covers: addPrinter, listPrinters, removePrinter

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { addKitchenPrinter, confirmRaw, pollRaw, printAll, printersOf, takeRaw } from './testing/kitchen.ts';

let running: Running;
let store: OpenStore;
beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const add = (at: OpenStore, body: unknown = { name: 'Kitchen' }, headers: Record<string, string> = {}) =>
  worker(running, at, 'merchant').call('POST', printersOf(at), body, headers);
const list = async (at: OpenStore) => (await worker(running, at).call('GET', printersOf(at))).body.printers;
const remove = (at: OpenStore, printerId: string) => worker(running, at, 'merchant').call('POST', `${printersOf(at)}/${printerId}/remove`);
const ids = (printers: readonly { readonly id: string }[]) => printers.map(({ id }) => id);

describe('adding a printer', () => {
  test('returns it and the path that the printer asks, of which only a hash is kept', async () => {
    const { status, body } = await add(store, { name: ' Bar ', language: 'fr-CA' });
    expect(status).toBe(200);
    expect(body.printer).toEqual({
      id: expect.any(String),
      name: 'Bar',
      language: 'fr',
      last_seen_at: null,
      status: 'away',
      detail: 'The printer has not asked for a ticket yet.',
      tickets_waiting: 0,
      tickets_not_printed: 0,
    });
    expect(body.url_path).toMatch(/^\/printers\/[\w-]{43}$/);
    const row = await running.service.database.one(
      sql.type(z.object({ row: z.string() }))`select p::text as row from printer p where id = ${body.printer.id}`,
    );
    expect(row.row).not.toContain(body.url_path.split('/').at(-1));
    const kept = await running.service.database.any(
      sql.type(z.object({ body: z.string().nullable() }))`select body from idempotency_key where operation = 'addPrinter'`,
    );
    expect(kept.every(({ body: stored }) => stored === null)).toBe(true);
  });

  test('under one Idempotency-Key adds one printer, also twice at once, and returns the same path each time', async () => {
    const own = await running.openStore();
    const headers = { 'Idempotency-Key': randomUUID() };
    const owner = worker(running, own, 'merchant');
    const send = () => owner.call('POST', printersOf(own), { name: 'Kitchen' }, headers);
    const first = await send();
    const [second, third] = await Promise.all([send(), send()]);
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await list(own)).toHaveLength(1);
  });

  test('without a key adds another printer each time', async () => {
    const own = await running.openStore();
    const [one, two] = await Promise.all([add(own), add(own)]);
    expect(one.body.url_path).not.toBe(two.body.url_path);
    expect(await list(own)).toHaveLength(2);
  });

  test.each([
    ['no name', {}],
    ['an empty name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(65) }],
    ['a language that is none', { name: 'Kitchen', language: '?' }],
  ])('is refused with %s', async (_, body) => {
    expect(codeOf(await add(store, body))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('of a store that the directory does not know is STORE_NOT_FOUND', async () => {
    expect(codeOf(await add({ ...store, id: randomUUID() }))).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('needs the role of a manager, a token of the store, and no customer', async () => {
    const body = { name: 'Kitchen' };
    expect(codeOf(await worker(running, store).call('POST', printersOf(store), body))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const other = await running.openStore();
    expect(codeOf(await worker(running, other, 'merchant').call('POST', printersOf(store), body))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(codeOf(await customer(running).call('POST', printersOf(store), body))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

describe('the list of printers', () => {
  test('has each printer of the store and of no other, with what it needs and what it is to print', async () => {
    const own = await running.openStore();
    const kitchen = await addKitchenPrinter(running, own);
    await addKitchenPrinter(running, await running.openStore());
    expect(ids(await list(own))).toEqual([kitchen.id]);
    await kitchen.device.poll();
    expect(await kitchen.listed()).toMatchObject({ status: 'online', detail: null, tickets_waiting: 0 });
    kitchen.device.status('211 Paper low');
    await kitchen.device.poll();
    expect(await kitchen.listed()).toMatchObject({ status: 'online', detail: 'The paper is low.' });
    kitchen.device.status('410 Paper Empty');
    await kitchen.device.poll();
    await customer(running).paid(own);
    expect(await kitchen.listed()).toMatchObject({ status: 'error', detail: 'The printer is out of paper.', tickets_waiting: 1 });
    running.clock.advance({ seconds: 59 });
    expect(await kitchen.listed()).toMatchObject({ status: 'error' });
    running.clock.advance({ seconds: 1 });
    expect(await kitchen.listed()).toMatchObject({ status: 'away', last_seen_at: expect.any(String), tickets_waiting: 1 });
  });

  test('is read by staff of the store alone', async () => {
    const other = await running.openStore();
    expect(codeOf(await worker(running, other).call('GET', printersOf(store)))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(codeOf(await customer(running).call('GET', printersOf(store)))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

describe('removing a printer', () => {
  test('ends its address at once, and a repeat changes nothing', async () => {
    const own = await running.openStore();
    const kitchen = await addKitchenPrinter(running, own);
    await customer(running).paid(own);
    const { body } = await pollRaw(kitchen.url);
    expect(await Promise.all([remove(own, kitchen.id), remove(own, kitchen.id)])).toMatchObject(
      [1, 2].map(() => ({ status: 200, body: { printer_id: kitchen.id } })),
    );
    expect(await list(own)).toEqual([]);
    expect((await pollRaw(kitchen.url)).status).toBe(404);
    expect((await takeRaw(kitchen.url, body.jobToken)).status).toBe(404);
    expect((await confirmRaw(kitchen.url, body.jobToken)).status).toBe(404);
  });

  test('does not touch the other printer of the store', async () => {
    const own = await running.openStore();
    const [bar, kitchen] = [await addKitchenPrinter(running, own), await addKitchenPrinter(running, own)];
    await customer(running).paid(own);
    await remove(own, bar.id);
    expect(await printAll(kitchen)).toHaveLength(1);
  });

  test('is PRINTER_NOT_FOUND for an unknown one and for one of another store', async () => {
    const other = await addKitchenPrinter(running, await running.openStore());
    expect(codeOf(await remove(store, randomUUID()))).toEqual([404, 'PRINTER_NOT_FOUND']);
    expect(codeOf(await remove(store, other.id))).toEqual([404, 'PRINTER_NOT_FOUND']);
    expect((await other.device.poll())?.jobReady).toBe(false);
  });

  test('needs an id, the role of a manager, and a token of the store', async () => {
    const { id } = await addKitchenPrinter(running, store);
    const path = `${printersOf(store)}/${id}/remove`;
    expect(codeOf(await remove(store, 'bar'))).toEqual([400, 'VALIDATION_FAILED']);
    expect(codeOf(await worker(running, store).call('POST', path))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const other = await running.openStore();
    expect(codeOf(await worker(running, other, 'merchant').call('POST', path))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(codeOf(await customer(running).call('POST', path))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});
