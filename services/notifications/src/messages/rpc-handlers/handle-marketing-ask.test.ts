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

/** Asks over the broker, as another service does. */
async function mayAsk(customerId: string, storeId: string): Promise<boolean> {
  const { broker } = await running.service.backbone;
  const input = JSON.stringify({ customer_id: customerId, store_id: storeId });
  const reply = await broker.connection.request(broker.subject(rpcSubject(marketingAsk)), input, { timeout: 60_000 });
  return z.object({ output: marketingAsk.output }).parse(reply.json()).output.ask;
}

const asked = (customerId: string, storeId: string, asks: number) =>
  running.service.database.query(sql.type(z.object({}))`
    insert into marketing_ask (customer_id, store_id, asks) values (${customerId}, ${storeId}, ${asks})`);
const prefers = (customerId: string, storeId: string, marketing: boolean) =>
  running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, marketing_enabled) values (${customerId}, ${storeId}, ${marketing})`);

test('a customer nobody has asked may be asked', async () => {
  expect(await mayAsk(randomUUID(), randomUUID())).toBe(true);
});

test.each([
  [0, true],
  [1, true],
  [2, false],
])('after %i asks: %p', async (asks, expected) => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await asked(customerId, storeId, asks);
  expect(await mayAsk(customerId, storeId)).toBe(expected);
});

test('a customer who has opted in is not asked', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await prefers(customerId, storeId, true);
  expect(await mayAsk(customerId, storeId)).toBe(false);
});

test('preferences without marketing are no reason not to ask', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await prefers(customerId, storeId, false);
  expect(await mayAsk(customerId, storeId)).toBe(true);
});

test('what was answered to one store, or by another customer, counts for no other', async () => {
  const [customerId, storeId, other] = [randomUUID(), randomUUID(), randomUUID()];
  await asked(customerId, other, 2);
  await prefers(customerId, other, true);
  await asked(other, storeId, 2);
  await prefers(other, storeId, true);
  expect(await mayAsk(customerId, storeId)).toBe(true);
});

test('asking this does not count as asking the customer', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  await mayAsk(customerId, storeId);
  await mayAsk(customerId, storeId);
  expect(await mayAsk(customerId, storeId)).toBe(true);
});
