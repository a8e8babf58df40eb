import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { basketOf, customer } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const place = async (request: Record<string, unknown>): Promise<string> => (await customer(running).create(store, request)).body.order_id;
const hashOf = (orderId: string) =>
  running.service.database.oneFirst(
    sql.type(z.object({ hash: z.string().nullable() }))`select encode(device_hash, 'hex') as hash from orders where id = ${orderId}`,
  );

test('of a device only a keyed hash is kept, the same for each of its orders and for nothing else', async () => {
  const device_fingerprint = 'ios/18.1 3F2504E0-4F89';
  const hash = await hashOf(await place({ device_fingerprint }));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashOf(await place({ device_fingerprint }))).toBe(hash);
  expect(await hashOf(await place({ device_fingerprint: `${device_fingerprint}0` }))).not.toBe(hash);
  expect(await hashOf(await place({}))).toBeNull();
  const stored = await running.service.database.oneFirst(sql.type(z.object({ found: z.number() }))`
    select count(*)::integer as found from (
      select to_jsonb(o)::text as row from orders o union all select to_jsonb(l)::text from log_entry l union all select to_jsonb(e)::text from outbox e
    ) stored where row like ${`%${device_fingerprint}%`}`);
  expect(stored).toBe(0);
});

test('a field that is null and one that is absent are the same to a repeat, and any other value is not', async () => {
  const ana = customer(running);
  const request = basketOf(store, { tip_pence: null, promo_code: null, fulfilment: { mode: 'counter', table_number: null } });
  const send = (body: object) => ana.call('POST', '/api/v1/orders', body);
  const { body: first } = await send(request);
  const { tip_pence: _tip, promo_code: _code, ...shorter } = request as Record<string, unknown>;
  const { status, body: again } = await send({ ...shorter, fulfilment: { mode: 'counter' }, voucher_id: null });
  expect([status, again.order_id]).toEqual([200, first.order_id]);
  const { body: other } = await send({ ...shorter, fulfilment: { mode: 'counter' }, tip_pence: 0 });
  expect(other.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
});
