import { randomUUID } from 'node:crypto';
import { marketingAsk, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../../testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** Calls the RPC over the broker, as another service does. */
async function mayAsk(customerId: string, storeId: string): Promise<boolean> {
  const { broker } = await running.service.backbone;
  const input = JSON.stringify({ customer_id: customerId, store_id: storeId });
  const reply = await broker.connection.request(broker.subject(rpcSubject(marketingAsk)), input, { timeout: 60_000 });
  return z.object({ output: marketingAsk.output }).parse(reply.json()).output.ask;
}

const insertAsks = (customerId: string, storeId: string, asks: number) =>
  running.service.database.query(sql.type(z.object({}))`
    insert into marketing_ask (customer_id, store_id, asks) values (${customerId}, ${storeId}, ${asks})`);
const insertPreference = (customerId: string, storeId: string, marketing: boolean) =>
  running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, marketing_enabled) values (${customerId}, ${storeId}, ${marketing})`);

test('a customer who has not been asked may be asked', async () => {
  expect(await mayAsk(randomUUID(), randomUUID())).toBe(true);
});

test.each([
  [0, true],
  [1, true],
  [2, false],
])('after %i asks, the customer may be asked again: %p', async (asks, expected) => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await insertAsks(customerId, storeId, asks);
  expect(await mayAsk(customerId, storeId)).toBe(expected);
});

test('a customer who has opted in is not asked again', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await insertPreference(customerId, storeId, true);
  expect(await mayAsk(customerId, storeId)).toBe(false);
});

test('a customer whose preferences leave marketing off may be asked', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await insertPreference(customerId, storeId, false);
  expect(await mayAsk(customerId, storeId)).toBe(true);
});

test('asks and opt-ins count for their own customer and store only', async () => {
  const [customerId, storeId, other] = [randomUUID(), randomUUID(), randomUUID()];
  await insertAsks(customerId, other, 2);
  await insertPreference(customerId, other, true);
  await insertAsks(other, storeId, 2);
  await insertPreference(other, storeId, true);
  expect(await mayAsk(customerId, storeId)).toBe(true);
});

test('calling the RPC does not count as an ask', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await mayAsk(customerId, storeId);
  await mayAsk(customerId, storeId);
  expect(await mayAsk(customerId, storeId)).toBe(true);
});

test('the RPC takes one statement', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  running.statements.length = 0;
  await mayAsk(customerId, storeId);
  expect(running.statements).toHaveLength(1);
});
