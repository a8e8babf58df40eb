import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paidOrder } from '../testing/paid-order.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { explainOrders } from './explain.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test('an order’s story is the same by its id, number, payment and refund, in order of time and without names of people', async () => {
  const order = await paidOrder(running, await running.openStore());
  const { body } = await order.refund(150);
  const { facts, also } = await explainOrders(running.service.database, [order.id]);
  const sentences = facts.map(({ sentence }) => sentence).join('\n');
  expect(also).toEqual([order.id]);
  expect(sentences).toMatch(/^Order S1-1001 was placed by customer [-0-9a-f]{36} for 6\.40 GBP, to be paid by pi_\w+; it is now paid/m);
  expect(sentences).toMatch(/The provider moved 6\.40 GBP from the customer/);
  expect(sentences).toMatch(/A refund of 1\.50 GBP was requested by [-0-9a-f]{36} \(refund [-0-9a-f]{36}, re_\w+\); it is now/);
  expect(sentences).toContain('by a member of staff');
  expect(facts.map(({ at }) => at)).toEqual(facts.map(({ at }) => at).toSorted());
  for (const name of ['S1-1001', order.intent, body.refund.id])
    expect(await explainOrders(running.service.database, [name])).toEqual({ facts, also });
});

test('an unknown id has no story', async () => {
  expect(await explainOrders(running.service.database, [randomUUID(), '1042', "'; drop"])).toEqual({ facts: [], also: [] });
});
