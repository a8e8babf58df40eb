import { randomUUID } from 'node:crypto';
import { dayOfMoney, type RpcOutput, rpcSubject } from '@corner/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { moveStoreShares } from '../disputes/sagas.ts';
import { readProviderState } from '../events/tables.ts';
import { explainOrders } from '../order/tables/explain.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { compareLedger } from './jobs.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('the comparison with the provider’s balance', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
    running.payments.controls.topUp(100_000, 'gbp');
  });

  const none = z.object({});
  const Open = z.object({ kind: z.string(), provider_pence: z.number().nullable(), ledger_pence: z.number().nullable() });
  const open = (orderId: string) =>
    running.service.database.any(sql.type(Open)`
      select kind, provider_pence, ledger_pence from ledger_difference where order_id = ${orderId} and explained_at is null order by kind`);
  const compareLater = async () => {
    running.clock.advance({ hours: 1 });
    await Promise.all([1, 2].map(() => compareLedger(running.service.context)));
  };

  test('payments, refunds that fail, and disputes that are won or lost agree with the provider’s balance', async () => {
    const orders = await Promise.all([1, 2, 3].map(() => paidOrder(running, store)));
    const [refunded, won, lost] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]];
    const { body } = await refunded.refund(200);
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    for (const [{ intent }, outcome] of [
      [won, 'won'],
      [lost, 'lost'],
    ] as const) {
      const { id } = running.payments.controls.openDispute(intent);
      await sendEventsAbout(running, id, 'charge.dispute.created');
      running.payments.controls.closeDispute(id, outcome);
      await sendEventsAbout(running, id, 'charge.dispute.closed');
    }
    await compareLater();
    await compareLater();
    for (const { id } of orders) expect(await open(id)).toEqual([]);
    expect((await won.ledger()).map(([kind]) => kind)).toContain('transfer');
  });

  test('a full refund after a partial one that failed agrees with the provider’s balance', async () => {
    const order = await paidOrder(running, store);
    const { body } = await order.refund(200);
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    expect((await order.refund()).body.refund.amount).toBe(640);
    await compareLater();
    expect(await open(order.id)).toEqual([]);
    expect(await order.ledger()).toContainEqual(['transfer_reversal', 440]);
  });

  test('a movement whose every event was lost is applied, and is no difference', async () => {
    const order = await paidOrder(running, store);
    running.payments.controls.dashboardRefund(order.intent, 100);
    running.payments.controls.openDispute(order.intent);
    await compareLater();
    expect((await order.ledger()).map(([kind]) => kind)).toEqual(expect.arrayContaining(['refund', 'dispute', 'dispute_fee']));
    expect(await open(order.id)).toEqual([]);
  });

  test('a row that the ledger lacks, has with another amount, or has alone is recorded once, explained to an operator, and goes away', async () => {
    const { database } = running.service;
    const order = await paidOrder(running, store);
    const { body } = await order.refund(200);
    await database.query(sql.type(none)`delete from ledger where provider_ref = ${body.refund.id}`);
    await database.query(sql.type(none)`update ledger set amount_pence = 600 where provider_ref = ${order.intent}`);
    await database.query(sql.type(none)`
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${store.id}, ${order.id}, 'refund', 're_never', -5, ${running.clock.now().toISOString()})`);
    await compareLater();
    await compareLater();
    expect(await open(order.id)).toEqual([
      { kind: 'charge', provider_pence: 640, ledger_pence: 600 },
      { kind: 'refund', provider_pence: -200, ledger_pence: null },
      { kind: 'refund', provider_pence: null, ledger_pence: -5 },
    ]);
    expect(await readProviderState(database, running.clock.now())).toMatchObject({
      differences: 3,
      cursors: expect.arrayContaining([{ name: 'movements', age: 900 }]),
    });

    const { facts } = await explainOrders(database, [order.id]);
    expect(facts.filter(({ sentence }) => sentence.includes('differs')).map(({ sentence }) => sentence)).toEqual(
      expect.arrayContaining([expect.stringContaining(`6.40 GBP at the provider and 6.00 GBP here (charge, ${order.intent})`)]),
    );

    await database.query(sql.type(none)`update ledger set amount_pence = 640 where provider_ref = ${order.intent}`);
    await database.query(sql.type(none)`delete from ledger where provider_ref = 're_never'`);
    await database.query(sql.type(none)`
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${store.id}, ${order.id}, 'refund', ${body.refund.id}, -200, ${running.clock.now().toISOString()})`);
    await compareLater();
    expect(await open(order.id)).toEqual([]);
  });

  test('a transfer that was reversed by hand at the provider is a difference', async () => {
    const order = await paidOrder(running, store);
    const transfer = running.payments.books().transfers.find(({ transfer_group }) => transfer_group === order.id);
    await fetch(`${running.payments.url}/v1/transfers/${transfer?.id}/reversals`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_test_corner' },
      body: new URLSearchParams({ amount: '50' }),
    });
    await compareLater();
    expect(await open(order.id)).toEqual([{ kind: 'transfer_reversal', provider_pence: 50, ledger_pence: null }]);
  });

  test('while the provider is down nothing is recorded or skipped', async () => {
    const order = await paidOrder(running, store);
    running.payments.controls.dashboardRefund(order.intent, 100);
    running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: '/v1/balance_transactions', times: 50 });
    running.clock.advance({ hours: 30 });
    await expect(compareLedger(running.service.context)).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR' });
    running.payments.controls.clearFaults();
    await compareLater();
    expect(await order.ledger()).toContainEqual(['refund', -100]);
    expect(await open(order.id)).toEqual([]);
  });
});

describe('a day of a store’s money', () => {
  beforeAll(async () => {
    running.payments.controls.topUp(100_000, 'gbp');
  });

  type Day = RpcOutput<typeof dayOfMoney>;

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

  const today = (timeZone = 'Europe/London') => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(running.clock.now());

  /** The store's money by the provider's books: its transfers without reversals, less the fees that were not refunded. */
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
});
