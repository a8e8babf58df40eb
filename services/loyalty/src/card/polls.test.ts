import { randomUUID } from 'node:crypto';
import { pollsOf, tablesWithoutNotes } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

async function openPolls(customerId: string) {
  const token = await customerToken(running, customerId);
  await shop.pay(customerId);
  return pollsOf(running.service.url, [
    { path: '/api/v1/loyalty/mine', token },
    { path: `/api/v1/loyalty/mine/${shop.storeId}/history`, token },
  ]);
}

test('a poll gets 304 exactly while its reply is the same, through the life of a card', async () => {
  const [ana, bo] = [randomUUID(), randomUUID()];
  const polls = await openPolls(ana);
  const silently = (statement: ReturnType<typeof sql.unsafe>) => running.service.database.query(statement);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['nothing', async () => {}],
    ['an order', () => shop.pay(ana)],
    ['another customer’s order', () => shop.pay(bo)],
    ['a stamp at the counter', () => shop.grant(ana)],
    ['another name of the store', () => silently(sql.type(z.object({}))`update store set name = 'Another' where id = ${shop.storeId}`)],
    ['another goal', () => silently(sql.type(z.object({}))`update programme set goal = goal + 1 where store_id = ${shop.storeId}`)],
    ['a stamp is taken away', () => silently(sql.type(z.object({}))`update stamp set status = 'undone' where customer_id = ${ana}`)],
    ['half a minute', async () => running.clock.set(new Date(running.clock.now().getTime() + 30_000).toISOString())],
  ];
  await polls.faults();
  for (const [step, change] of steps) {
    await change();
    expect([step, await polls.faults()]).toEqual([step, []]);
  }
  await polls.statuses();
  const before = running.statements.length;
  expect(await polls.statuses()).toEqual([304, 304]);
  expect(running.statements.length).toBe(before);
});

test('every table that the polled reads are made of notes its changes', async () => {
  const polls = await openPolls(randomUUID());
  const before = running.statements.length;
  await polls.faults();
  expect(await tablesWithoutNotes(running.environment.DATABASE_URL ?? '', running.statements.slice(before))).toEqual([]);
});
