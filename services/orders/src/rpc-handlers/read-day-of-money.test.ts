import { randomUUID } from 'node:crypto';
import { dayOfMoney, type RpcOutput, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { moveStoreShares } from '../jobs/move-store-shares.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

type Day = RpcOutput<typeof dayOfMoney>;

let running: Running;
beforeAll(async () => {
  running = await startRunning();
  running.payments.controls.topUp(100_000, 'gbp');
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function ask(store: Pick<OpenStore, 'id'>, date: string): Promise<{ readonly output?: Day; readonly problem?: string }> {
  const { broker } = await running.service.backbone;
  const subject = broker.subject(rpcSubject(dayOfMoney, 'olu'));
  return (await broker.connection.request(subject, JSON.stringify({ store_id: store.id, date }), { timeout: 60_000 })).json();
}

const dayOf = async (store: OpenStore, date: string): Promise<Day> => {
  const { output } = await ask(store, date);
  if (!output) throw new Error('no day');
  return output;
};

/** The day of the clock, in a time zone. */
const today = (timeZone = 'Europe/London') => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(running.clock.now());

/** What the provider's books say that a store keeps: its transfers without what was reversed, less the fees that were not given back. */
function keptAtProvider({ account }: OpenStore): number {
  const { transfers, charges, applicationFees } = running.payments.books();
  const own = transfers.filter(({ destination }) => destination === account);
  const ownCharges = new Set(charges.filter(({ transfer }) => own.some(({ id }) => id === transfer)).map(({ id }) => id));
  const fees = applicationFees.filter(({ charge }) => ownCharges.has(charge));
  const left = own.reduce((sum, { amount, amount_reversed }) => sum + amount - amount_reversed, 0);
  return left - fees.reduce((sum, { amount, amount_refunded }) => sum + amount - amount_refunded, 0);
}

test('a day with refunds, one that failed, and disputes that were won and lost keeps what the provider’s books say', async () => {
  const store = await running.openStore();
  const orders = await Promise.all([1, 2, 3, 4, 5].map(() => paidOrder(running, store)));
  const [partly, wholly, failed, won, lost] = orders as [Order, Order, Order, Order, Order];
  // Of the fee, 5.5 pence of this one come back: half pence are rounded up.
  await partly.refund(110);
  await partly.refund(102);
  await wholly.refund();
  const { body } = await failed.refund(200);
  running.payments.controls.failRefund(body.refund.id);
  await sendEventsAbout(running, body.refund.id, 'refund.failed');
  await failed.refund();
  for (const [{ intent }, outcome] of [
    [won, 'won'],
    [lost, 'lost'],
  ] as const) {
    const { id } = running.payments.controls.openDispute(intent);
    await sendEventsAbout(running, id, 'charge.dispute.created');
    await moveStoreShares(running.service.context);
    running.payments.controls.closeDispute(id, outcome);
    await sendEventsAbout(running, id, 'charge.dispute.closed');
    await moveStoreShares(running.service.context);
  }
  const day = await dayOf(store, today());
  expect(day).toMatchObject({ orders: 5, gross: 5 * 640, refunds: 212 + 640 + 640, currency: 'GBP', disputes: [] });
  expect(day.dispute_shares).toBeGreaterThan(0);
  expect(day.net).toBe(keptAtProvider(store));
  const sum = day.entries.reduce((total, { amount, fee }) => total + amount - fee, 0);
  expect(sum).toBe(day.net);
  expect(day.entries[0]).toMatchObject({ kind: 'charge', amount: 640, order_number: expect.stringMatching(/^S1-/) });
});

test('an open dispute is named with its deadline', async () => {
  const store = await running.openStore();
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent);
  await sendEventsAbout(running, id, 'charge.dispute.created');
  const { disputes } = await dayOf(store, today());
  expect(disputes).toEqual([
    { order_id: order.id, order_number: expect.any(String), state: 'opened', amount: 640, respond_by: expect.stringMatching(/Z$/) },
  ]);
});

test('a day begins and ends at midnight of the store', async () => {
  // One of the two has another date than UTC, whatever the hour.
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const time_zone = zones.find((zone) => today(zone) !== today('UTC')) ?? '';
  const there = await running.openStore({ time_zone });
  await paidOrder(running, there);
  const date = today(time_zone);
  const before = new Date(`${date}T00:00:00Z`);
  before.setUTCDate(before.getUTCDate() - 1);
  expect((await dayOf(there, date)).orders).toBe(1);
  expect(await dayOf(there, before.toISOString().slice(0, 10))).toMatchObject({ orders: 0, gross: 0, net: 0, entries: [] });
});

test('an unknown store is refused', async () => {
  expect(await ask({ id: randomUUID() }, '2026-01-01')).toMatchObject({ problem: 'STORE_NOT_FOUND' });
});

type Order = Awaited<ReturnType<typeof paidOrder>>;
