// covers: listDataAccess
import { randomUUID } from 'node:crypto';
import {
  customerDataRead,
  type DataInputOf,
  type Envelope,
  explain,
  exportDirectory,
  type RpcOutput,
  verifyDataAccess,
} from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';
import { answerForLoyalty } from '../testing/visits.ts';
import { hashLink } from './crypto.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const at = '2026-05-01T11:00:00.000000Z';
const request = 'the-request';

type Read = Partial<DataInputOf<typeof customerDataRead>>;
const readBy = (id: string, { store_id = shop.storeId, customer_ids = [randomUUID()], what = 'card', ...rest }: Read = {}): Envelope => ({
  ...envelopeOf(
    customerDataRead,
    { by: { kind: 'merchant', id }, store_id, customer_ids, what, at: '2026-05-01T11:00:00Z', ...rest },
    { aggregateId: randomUUID() },
  ),
  correlationid: request,
});
const list = async (query = '', of = shop) => (await of.get(`/data-access${query}`)).body.entries;

type Part = NonNullable<RpcOutput<typeof verifyDataAccess>['part']>;
async function walk(heads: string[] = []) {
  const [chains, found]: [Map<string | null, Part>, string[]] = [new Map(), []];
  for (let after: RpcOutput<typeof verifyDataAccess>['next'] | undefined; after !== null; ) {
    const { output } = await running.call(verifyDataAccess, { by: 'olu', heads, ...(after ? { after } : {}) });
    if (!output) throw new Error('the record could not be verified');
    if (output.part) chains.set(output.part.store_id, output.part);
    found.push(...output.found);
    after = output.next;
  }
  return { chains, found };
}
const chainOf = async (storeId: string | null = shop.storeId) => (await walk()).chains.get(storeId);

describe('the record of a store', () => {
  test('has a row for each customer that was read, newest first, with who read, by the name they have now; once for an event', async () => {
    const [ada, bob] = [randomUUID(), randomUUID()];
    const { staff } = (await shop.post('/staff', { id: randomUUID(), name: 'Cy', role: 'staff' })).body;
    const event = readBy(staff.id, { customer_ids: [ada, bob], what: 'look_up', by: { kind: 'staff', id: staff.id } });
    await running.consume(event, readBy(shop.ownerId, { customer_ids: [ada] }));
    await running.publish(event);
    await running.consume(readBy('no-id-of-ours', { customer_ids: [bob] }));
    const cy = { kind: 'staff', id: staff.id, name: 'Cy' };
    const rest = { at, request_id: request };
    expect(await list()).toEqual([
      { id: '4', by: { kind: 'merchant', id: 'no-id-of-ours', name: null }, customer_id: bob, what: 'card', ...rest },
      { id: '3', by: { kind: 'merchant', id: shop.ownerId, name: 'Bo' }, customer_id: ada, what: 'card', ...rest },
      { id: '2', by: cy, customer_id: bob, what: 'look_up', ...rest },
      { id: '1', by: cy, customer_id: ada, what: 'look_up', ...rest },
    ]);
  });

  test('is read in pages by the owner alone, and has nothing of another store', async () => {
    const other = await openShop(running);
    await running.consume(readBy(shop.ownerId), readBy(shop.ownerId), readBy(other.ownerId, { store_id: other.storeId }));
    const [newest] = await list('?limit=1');
    expect([newest.id, (await list(`?before=${newest.id}`)).map(({ id }: { id: string }) => id)]).toEqual(['2', ['1']]);
    expect(refusal(await shop.get('/data-access', { role: 'manager' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await shop.get('/data-access', { token: await other.token('owner') }))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(refusal(await shop.get('/data-access?before=99'))).toEqual([400, 'INVALID_CURSOR']);
    const unknown = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', stores: [{ id: unknown, role: 'owner' }] });
    expect(refusal(await shop.get(`//stores/${unknown}/data-access`, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('has no gap when many reads of several stores arrive at once, and every chain fits', async () => {
    const other = await openShop(running);
    const events = Array.from({ length: 40 }, (_, n) => readBy(shop.ownerId, { store_id: (n % 3 === 0 ? other : shop).storeId }));
    await Promise.all(events.map((event) => running.publish(event)));
    await running.processed(...events);
    const { chains } = await walk();
    expect([chains.get(shop.storeId), chains.get(other.storeId)]).toMatchObject([
      { rows: 26, broken: null },
      { rows: 14, broken: null },
    ]);
    expect((await list('?limit=100')).map(({ id }: { id: string }) => Number(id))).toEqual(Array.from({ length: 26 }, (_, n) => 26 - n));
  });
});

describe('what operators were shown', () => {
  const shown = (read: Read, by = 'olu') => readBy('', { what: 'story', by: { kind: 'operator', id: by }, ...read });

  test('is in the store’s chain once for each operator, customer, kind and hour, however many services and pages showed it', async () => {
    const [ada, bob] = [randomUUID(), randomUUID()];
    const ofAda = { customer_ids: [ada] };
    await running.consume(shown(ofAda), shown(ofAda), shown({ customer_ids: [bob] }));
    await running.consume(shown({ ...ofAda, at: '2026-05-01T11:59:59.999Z' }), shown(ofAda, 'pia'), shown({ ...ofAda, what: 'payload' }));
    await running.consume(shown({ ...ofAda, at: '2026-05-01T12:00:00Z' }), shown({ ...ofAda, store_id: null }), shown(ofAda));
    await running.consume(readBy(shop.ownerId, ofAda), readBy(shop.ownerId, ofAda));
    const rows: { by: { id: string }; what: string; customer_id: string }[] = await list();
    expect(rows.map(({ by, what, customer_id }) => [by.id, what, customer_id === ada ? 'Ada' : 'Bob'])).toEqual(
      [
        ['olu', 'story', 'Ada'],
        ['olu', 'story', 'Bob'],
        ['pia', 'story', 'Ada'],
        ['olu', 'payload', 'Ada'],
        ['olu', 'story', 'Ada'],
        [shop.ownerId, 'card', 'Ada'],
        [shop.ownerId, 'card', 'Ada'],
      ].reverse(),
    );
    expect(await chainOf()).toMatchObject({ rows: 7, broken: null, ended: true });
    expect((await chainOf(null))?.broken).toBeNull();
  });

  test('of this service itself is recorded before it is answered, and a customer’s export says so', async () => {
    const id = randomUUID();
    const token = await running.issuer.token({ typ: 'customer', sub: id });
    await shop.patch('//me', { name: 'Ada' }, { token });
    for (let n = 0; n < 2; n += 1) expect((await running.call(explain('directory'), { ids: [id] })).output?.facts).not.toEqual([]);
    const rows = await running.service.database.any(sql.type(z.object({ chain: z.string(), by_id: z.string(), what: z.string() }))`
      select chain, by_id, what from data_access where customer_id = ${id}`);
    expect(rows).toEqual([{ chain: 'ffffffff-ffff-ffff-ffff-ffffffffffff', by_id: 'tester', what: 'story' }]);
  });
});

test('reads of the directory itself are recorded before they are answered, and a customer’s export says who read', async () => {
  const id = randomUUID();
  using visits = await answerForLoyalty(running);
  visits.add(shop.storeId, id);
  const token = await running.issuer.token({ typ: 'customer', sub: id });
  await shop.patch('//me', { name: 'Ada' }, { token });
  expect((await shop.get(`/customers/${id}`, { role: 'staff', headers: { 'x-request-id': request } })).status).toBe(200);
  expect(refusal(await shop.get(`/customers/${randomUUID()}`))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
  expect(await list()).toEqual([expect.objectContaining({ customer_id: id, what: 'membership', request_id: request })]);
  for (const customer_ids of [[id], undefined])
    await running.call(exportDirectory, { ...(customer_ids ? { customer_ids } : {}), by: 'olu' });
  const platform = () =>
    running.service.database.any(sql.type(z.object({ by_kind: z.string(), customer_id: z.string().nullable(), what: z.string() }))`
      select by_kind, customer_id, what from data_access where chain = 'ffffffff-ffff-ffff-ffff-ffffffffffff' and what <> 'story' order by number`);
  const operator = { by_kind: 'operator', what: 'directory_export' };
  expect(await platform()).toEqual([{ ...operator, customer_id: id }]);
  const after = { kind: 'booking', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;
  await running.call(exportDirectory, { after, by: 'olu' });
  expect((await platform()).at(-1)).toEqual({ ...operator, customer_id: null });
});

describe('one who changes the record is seen', () => {
  async function written(): Promise<string> {
    for (let n = 0; n < 5; n += 1) await running.consume(readBy(shop.ownerId));
    return (await chainOf())?.head ?? '';
  }
  const tamper = (text: string) =>
    running.asSuperuser(`set session_replication_role = replica; ${text.replaceAll(':chain', `chain = '${shop.storeId}'`)}`);

  test('the service may add rows only, and the trigger stops its owner too', async () => {
    await written();
    for (const text of [
      `update data_access set what = 'card' where chain = '${shop.storeId}'`,
      `delete from data_access where chain = '${shop.storeId}'`,
      'truncate data_access',
    ])
      await expect(running.asSuperuser(text)).rejects.toThrow('are added, never changed or removed');
    await expect(
      running.service.database.query(sql.type(z.object({}))`delete from data_access where chain = ${shop.storeId}`),
    ).rejects.toThrow();
    expect(await chainOf()).toMatchObject({ rows: 5, broken: null, ended: true });
  });

  test.each([
    ['who read is another', `update data_access set by_id = 'someone' where :chain and number = 3`, { number: 3, at, why: 'changed' }],
    [
      'whose data was read is another',
      `update data_access set customer_id = null where :chain and number = 1`,
      { number: 1, at, why: 'changed' },
    ],
    [
      'a moment is another',
      `update data_access set at = at + interval '1 microsecond' where :chain and number = 5`,
      { number: 5, why: 'changed' },
    ],
    ['a row is removed', 'delete from data_access where :chain and number = 2', { number: 2, at: null, why: 'missing' }],
    ['the first row is removed', 'delete from data_access where :chain and number = 1', { number: 1, at: null, why: 'missing' }],
    [
      'a row is removed and the others are numbered anew',
      'delete from data_access where :chain and number = 2; update data_access set number = number - 1 where :chain and number > 2',
      { number: 2, at, why: 'changed' },
    ],
    [
      'two rows change places',
      'update data_access set number = 9 where :chain and number = 2; update data_access set number = 2 where :chain and number = 4; update data_access set number = 4 where :chain and number = 9',
      { number: 2, at, why: 'changed' },
    ],
    ['the end is cut', 'delete from data_access where :chain and number > 3', { number: 4, at: null, why: 'missing' }],
    ['all of it is removed', 'delete from data_access where :chain', { number: 1, at: null, why: 'missing' }],
    ['the end says too little', 'update data_access_head set number = 4 where :chain', { number: 5, at: null, why: 'changed' }],
    ['the end is removed', 'delete from data_access_head where :chain', { number: 5, at: null, why: 'changed' }],
  ])('%s', async (_, text, broken) => {
    await written();
    const elsewhere = await openShop(running);
    await running.consume(readBy(elsewhere.ownerId, { store_id: elsewhere.storeId }));
    await tamper(text);
    expect((await chainOf())?.broken).toMatchObject(broken);
    expect((await chainOf(elsewhere.storeId))?.broken).toBeNull();
  });

  test('one who changes a row and makes its hash fit is seen at the next row', async () => {
    await written();
    const [before, third] = await running.service.database.any(sql.type(z.object({ hash: z.string(), row: z.any() }))`
      select encode(hash, 'hex') as hash, to_jsonb(a) - 'hash' || jsonb_build_object('at', ${at}::text) as row
      from data_access a where chain = ${shop.storeId} and number in (2, 3) order by number`);
    const forged = hashLink(before?.hash ?? '', { ...third?.row, by_id: 'someone' });
    await tamper(`update data_access set by_id = 'someone', hash = '\\x${forged}' where :chain and number = 3`);
    expect((await chainOf())?.broken).toEqual({ number: 4, at, why: 'changed' });
  });

  test('one who cuts the end and makes it fit is seen by the head that was kept', async () => {
    const kept = await written();
    expect((await walk([kept])).found).toEqual([kept]);
    await tamper(`delete from data_access where :chain and number > 3;
      update data_access_head h set number = 3, hash = (select hash from data_access a where a.chain = h.chain and number = 3) where :chain`);
    expect((await chainOf())?.broken).toBeNull();
    // Rows that are written on top of it have other hashes.
    await running.consume(readBy(shop.ownerId), readBy(shop.ownerId));
    const { chains, found } = await walk([kept]);
    expect([chains.get(shop.storeId)?.rows, chains.get(shop.storeId)?.broken, found]).toEqual([5, null, []]);
  });
});

test('a record of several parts is walked whole', async () => {
  const ids = Array.from({ length: 1_200 }, () => randomUUID());
  await running.consume(readBy(shop.ownerId, { customer_ids: ids }), readBy(shop.ownerId, { customer_ids: ids }));
  expect(await chainOf()).toMatchObject({ rows: 2_400, broken: null, ended: true });
});
