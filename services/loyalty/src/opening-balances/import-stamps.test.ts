import { randomUUID } from 'node:crypto';
import { importStamps, type RpcCallInput, type RpcOutput } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
let ana: string;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  shop = await openShop(running, { goal: 3, daily_stamp_limit: 1, monthly_stamp_quota: 1 }, { code: randomUUID().slice(0, 8) });
  ana = await customer({ name: 'Ana', email: `${randomUUID()}@Example.com` });
});
afterAll(async () => await running[Symbol.asyncDispose]());

type Line = RpcCallInput<typeof importStamps>['lines'][number];

async function customer(more: Parameters<typeof customerOf>[1]): Promise<string> {
  const id = randomUUID();
  await running.consume(customerOf(id, more));
  return id;
}

const lineOf = (more: Partial<Line> = {}): Line => ({ line: 2, store: shop.storeId, customer: ana, stamps: 2, ...more });
async function send(lines: readonly Line[], dry_run = false): Promise<{ readonly output: RpcOutput<typeof importStamps> }> {
  const { output, problem } = await running.call(importStamps, { by: 'ignored', dry_run, lines: [...lines] });
  if (!output) throw new Error(problem);
  return { output };
}
const countOf = async (customerId = ana) => (await shop.state(customerId)).body.stamp_count;
const stampIds = () =>
  running.service.database.anyFirst(
    sql.type(z.object({ id: z.string() }))`select id from stamp where customer_id = ${ana} and source = 'import' order by id`,
  );

describe('importing the stamps of another system', () => {
  test('adds them outside all limits, and rewards as vouchers, and publishes them as imported', async () => {
    const { output } = await send([lineOf({ vouchers: 1 })]);
    expect(output).toEqual({
      faults: [],
      lines: [{ line: 2, store_id: shop.storeId, customer_id: ana, stamps: 5, vouchers: 1, stamp_count: 2, repeated: false }],
    });
    expect(await countOf()).toBe(2);
    const events = await shop.events(ana);
    expect(events.map(({ type }) => type)).toEqual(['customer.seen', ...Array(5).fill('stamp.approved'), 'voucher.minted']);
    expect(events.slice(1, 6).every(({ data }) => data.source === 'import' && data.by_id === null)).toBe(true);
    expect(events.at(-1)?.data).toMatchObject({ by_import: true });
    // They use up neither the customer's day nor the store's month.
    expect((await shop.grant(ana)).status).toBe(200);
  });

  test('finds the store by its code, and the customer by e-mail or by a whole phone number', async () => {
    const digits = '00900123';
    const bo = await customer({ phone: `+44 77${digits}` });
    const { body } = await shop.get(`customer-state?store_id=${shop.storeId}&customer_id=${ana}`);
    expect(body.stamp_count).toBe(0);
    const email = await running.service.database.oneFirst(
      sql.type(z.object({ email: z.string() }))`select email from customer where id = ${ana}`,
    );
    const code = await running.service.database.oneFirst(
      sql.type(z.object({ code: z.string() }))`select code from store where id = ${shop.storeId}`,
    );
    const lines = [lineOf({ store: code, customer: email.toLowerCase() }), lineOf({ line: 3, customer: `077${digits}`, stamps: 1 })];
    const { output } = await send(lines);
    expect(output.lines.map(({ line, customer_id }) => [line, customer_id])).toEqual([
      [2, ana],
      [3, bo],
    ]);
  });

  test('is in the store’s log with the operator’s name, and opens no contact data', async () => {
    await send([lineOf()]);
    const { body } = await shop.get(`log?store_id=${shop.storeId}`);
    expect(body.entries).toMatchObject([
      { title: 'A customer brought 2 stamps from another system', by: { id: 'operator:tester', name: 'tester' }, customer_id: ana },
    ]);
    expect((await shop.state(ana)).body).toMatchObject({ email: null, last_visit_at: null });
  });

  test('is undone by staff as their own grants are, once', async () => {
    await send([lineOf()]);
    const [stamp_id] = await stampIds();
    const undo = () => shop.post('stamps/undo', { store_id: shop.storeId, customer_id: ana, stamp_id });
    expect((await undo()).body).toMatchObject({ undone: true, current_stamps: 1 });
    expect((await undo()).body).toMatchObject({ undone: true, current_stamps: 1 });
    expect((await shop.events(ana)).at(-1)).toMatchObject({ type: 'stamp.undone', data: { source: 'import' } });
  });

  test('twice is once, also in other pages and when the stamps were undone', async () => {
    const bo = await customer({ name: 'Bo' });
    await send([lineOf(), lineOf({ line: 3, customer: bo })]);
    const { output } = await send([lineOf({ line: 3, customer: bo })]);
    expect(output.lines).toMatchObject([{ stamps: 0, repeated: true, stamp_count: 2 }]);
    const [stamp_id] = await stampIds();
    await shop.post('stamps/undo', { store_id: shop.storeId, customer_id: ana, stamp_id });
    await send([lineOf()]);
    expect([await countOf(), await countOf(bo)]).toEqual([1, 2]);
  });

  test('two at once are one', async () => {
    await Promise.all(Array.from({ length: 4 }, () => send([lineOf()])));
    expect(await countOf()).toBe(2);
  });

  test('a line with an id of its own counts beside the customer’s other lines', async () => {
    await send([lineOf({ stamps: 1 }), lineOf({ line: 3, stamps: 1, id: 'paper card' })]);
    expect(await countOf()).toBe(2);
    const bo = await customer({});
    const { output } = await send([lineOf({ customer: bo, id: 'paper card' })]);
    expect(output.faults).toEqual([{ line: 2, field: 'id', fault: 'was used for another customer of the store' }]);
  });

  test('names every line with a fault, and writes none of the page', async () => {
    const twin = `${randomUUID()}@example.com`;
    await customer({ email: twin });
    await customer({ email: twin });
    const bare = await openShop(running);
    await running.service.database.query(sql.type(z.object({}))`delete from programme where store_id = ${bare.storeId}`);
    const { output } = await send([
      lineOf(),
      lineOf({ line: 3, store: 'NOWHERE', customer: randomUUID() }),
      lineOf({ line: 4, customer: twin }),
      lineOf({ line: 5, customer: 'Ana' }),
      lineOf({ line: 6, store: bare.storeId }),
    ]);
    expect(output.lines).toEqual([]);
    expect(output.faults.map(({ line, field }) => `${line} ${field}`)).toEqual([
      '3 store',
      '3 customer',
      '4 customer',
      '5 customer',
      '6 store',
    ]);
    expect(await countOf()).toBe(0);
  });

  test('a dry run returns what would be done and leaves no trace', async () => {
    const { output } = await send([lineOf({ vouchers: 1 })], true);
    expect(output.lines).toMatchObject([{ stamps: 5, vouchers: 1, stamp_count: 2 }]);
    expect([await countOf(), await shop.events(ana)]).toEqual([0, []]);
  });

  test('a line without stamps and vouchers is refused', async () => {
    await expect(send([lineOf({ stamps: 0 })])).rejects.toThrow('VALIDATION_FAILED');
  });
});
