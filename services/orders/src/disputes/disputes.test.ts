// covers: refundOrder

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { readProviderEvents } from '../events/jobs.ts';
import { processProviderEvent } from '../events/sagas.ts';
import { readProviderState } from '../events/tables.ts';
import { findOrderByIntent } from '../order/tables/orders.ts';
import { customer, pay, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, sendEventsAbout, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, logOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { applyDisputes, moveStoreShares } from './sagas.ts';
import { findDisputes } from './tables.ts';

let running: Running;
let store: OpenStore;
const promoId = randomUUID();

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({}, menu, [], [{ id: promoId, code: 'SPRING', kind: 'amount', value: 40 }]);
  running.payments.controls.topUp(100_000, 'gbp');
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const all = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];
const send = (disputeId: string) => sendEventsAbout(running, disputeId, ...all);
const states = async (order: { published(type: string): Promise<readonly { state: string }[]> }) =>
  (await order.published('payment.disputed')).map(({ state }) => state);
const moved = async (order: { ledger(): Promise<(string | number)[][]> }) => (await order.ledger()).filter(([kind]) => kind !== 'charge');
/** The store's remaining balance of a payment at the provider: its transfers, less reversals and the platform's fee. */
function keptByStore(intent: string, orderId: string): number {
  const { transfers, applicationFees, charges } = running.payments.books();
  const charge = charges.find(({ payment_intent, paid }) => payment_intent === intent && paid);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const own = transfers.filter(({ transfer_group }) => transfer_group === orderId);
  const fees = applicationFees.filter((fee) => fee.charge === charge?.id);
  return (
    sum(own.map(({ amount, amount_reversed }) => amount - amount_reversed)) -
    sum(fees.map(({ amount, amount_refunded }) => amount - amount_refunded))
  );
}

describe('a dispute', () => {
  test('is logged and published once, with the deadline for evidence, and the order cannot be refunded', async () => {
    const order = await paidOrder(running, store);
    const { id } = running.payments.controls.openDispute(order.intent, { reason: 'product_not_received' });
    await Promise.all([1, 2, 3].map(() => publish(running, eventOf('charge.dispute.created', id))));
    await send(id);
    const due = new Date(
      (running.payments.books().disputes.find((one) => one.id === id)?.evidence_details.due_by ?? 0) * 1000,
    ).toISOString();
    expect(await order.published('payment.disputed')).toEqual([
      expect.objectContaining({
        order_id: order.id,
        dispute_id: id,
        state: 'opened',
        amount_pence: 640,
        currency: 'GBP',
        reason: 'product_not_received',
        evidence_due_by: due,
      }),
    ]);
    expect(await order.logged('dispute_opened')).toBe(1);
    const { body } = await worker(running, store).call('GET', `/api/v1/orders/${order.id}/log?store_id=${store.id}`);
    expect(body.entries).toContainEqual(
      expect.objectContaining({ detail: `product not received; evidence is due by ${due}`, amount_pence: 640 }),
    );
    expect(outcomeOf(await order.refund(100))).toEqual([409, 'ORDER_DISPUTED']);
    expect(order.atProvider()).toEqual([]);
  });

  test('that is lost keeps its money and fee in the ledger, releases the promo code, and the order stays disputed', async () => {
    const uses = await usesOf(running, promoId);
    const order = await paidOrder(running, store, { promo_code: 'spring' });
    const { id } = running.payments.controls.openDispute(order.intent);
    await send(id);
    running.payments.controls.closeDispute(id, 'lost');
    await Promise.all([send(id), send(id)]);
    expect(await states(order)).toEqual(['opened', 'lost']);
    expect(await moved(order)).toEqual([
      ['dispute', -600],
      ['dispute_fee', -2000],
      ['transfer_reversal', 570],
    ]);
    expect([await order.logged('dispute_lost'), await usesOf(running, promoId)]).toEqual([1, uses]);
    expect(outcomeOf(await order.refund())).toEqual([409, 'ORDER_DISPUTED']);
    expect(keptByStore(order.intent, order.id)).toBe(0);
  });

  test('that is won returns its money, and the store gets its share again', async () => {
    const order = await paidOrder(running, store);
    const before = keptByStore(order.intent, order.id);
    const { id } = running.payments.controls.openDispute(order.intent);
    await send(id);
    expect(keptByStore(order.intent, order.id)).toBe(0);
    running.payments.controls.closeDispute(id, 'won');
    await Promise.all([send(id), send(id)]);
    expect(await states(order)).toEqual(['opened', 'won']);
    expect(await moved(order)).toEqual([
      ['dispute', -640],
      ['dispute_fee', -2000],
      ['transfer_reversal', 608],
      ['dispute_returned', 640],
      ['transfer', -608],
    ]);
    expect([await order.logged('dispute_opened'), await order.logged('dispute_closed'), keptByStore(order.intent, order.id)]).toEqual([
      1,
      1,
      before,
    ]);
    expect(outcomeOf(await order.refund(100))).toEqual([502, 'REFUND_REJECTED']);
  });

  test('whose every webhook is lost is found in the list of events', async () => {
    const order = await paidOrder(running, store);
    const { id } = running.payments.controls.openDispute(order.intent);
    const readLater = async () => {
      running.clock.advance({ minutes: 1 });
      await Promise.all([1, 2].map(() => readProviderEvents(running.service.context)));
      await untilProcessed(running);
    };
    await readLater();
    expect(await states(order)).toEqual(['opened']);
    running.payments.controls.closeDispute(id, 'lost');
    await readLater();
    expect(await states(order)).toEqual(['opened', 'lost']);
  });

  test('stays lost when an answer from before its end arrives after it', async () => {
    const order = await paidOrder(running, store);
    const { context } = running.service;
    const row = await findOrderByIntent(context.database, order.intent);
    if (!row) throw new Error('the order is not stored');
    const { id } = running.payments.controls.openDispute(order.intent);
    const late = {
      ...context.disputes,
      async disputesOf(intent: string) {
        const open = await context.disputes.disputesOf(intent);
        running.payments.controls.closeDispute(id, 'lost');
        running.clock.advance({ seconds: 1 });
        await applyDisputes(context, row, intent);
        return open;
      },
    };
    await applyDisputes({ ...context, disputes: late }, row, order.intent);
    expect(await states(order)).toEqual(['lost']);
    expect(await findDisputes(context.database, order.id)).toMatchObject([{ id, state: 'lost' }]);
  });

  test('that was over before it was noticed counts in its final state', async () => {
    const [won, lost] = [await paidOrder(running, store), await paidOrder(running, store)];
    const ids = [won, lost].map(({ intent }) => running.payments.controls.openDispute(intent).id);
    running.payments.controls.closeDispute(ids[0] ?? '', 'won');
    running.payments.controls.closeDispute(ids[1] ?? '', 'lost');
    for (const id of ids) await send(id);
    expect([await states(won), await states(lost)]).toEqual([[], ['lost']]);
    expect([(await moved(won)).map(([kind]) => kind), keptByStore(won.intent, won.id)]).toEqual([
      ['dispute', 'dispute_fee', 'dispute_returned'],
      608,
    ]);
    expect((await logOf(running, won.id)).filter((kind) => kind.startsWith('dispute'))).toEqual([]);
  });

  test('that arrives before the payment marks the order paid, then disputed', async () => {
    const { body: order } = await customer(running).create(store);
    await pay(running, order.payment_intent_id, 'pm_card_createDispute');
    const dispute = running.payments.books().disputes.find(({ payment_intent }) => payment_intent === order.payment_intent_id);
    await sendEventsAbout(running, dispute?.id ?? '', 'charge.dispute.created');
    expect((await eventsOf(running, order.order_id)).map(({ type }) => type)).toEqual(['order.paid', 'payment.disputed']);
    expect((await worker(running, store).get(order.order_id)).body.order.status).toBe('paid');
  });
});

test('an inquiry of the bank is no dispute until it becomes one', async () => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent, { inquiry: true });
  await send(id);
  expect([await states(order), await moved(order)]).toEqual([[], []]);
  running.payments.controls.escalateInquiry(id);
  await send(id);
  expect(await states(order)).toEqual(['opened']);
});

test('an inquiry that is closed leaves the order refundable', async () => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent, { inquiry: true });
  running.payments.controls.closeDispute(id, 'warning_closed');
  await send(id);
  expect(await states(order)).toEqual([]);
  expect(outcomeOf(await order.refund(100))).toEqual([200, 100]);
});

test('a dispute that awaits evidence is counted from three days before its deadline until evidence is sent', async () => {
  const other = await startRunning();
  try {
    const order = await paidOrder(other, await other.openStore());
    const { id } = other.payments.controls.openDispute(order.intent);
    await sendEventsAbout(other, id, ...all);
    const due = async () => (await readProviderState(other.service.database, other.clock.now())).disputes_due;
    other.clock.advance({ days: 10, hours: 23 });
    expect(await due()).toBe(0);
    other.clock.advance({ hours: 2 });
    expect(await due()).toBe(1);
    await fetch(`${other.payments.url}/v1/disputes/${id}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_test_corner' },
      body: new URLSearchParams({ 'evidence[uncategorized_text]': 'It was collected.' }),
    });
    await sendEventsAbout(other, id, 'charge.dispute.updated');
    expect([await due(), await states(order)]).toEqual([0, ['opened']]);
  } finally {
    await other[Symbol.asyncDispose]();
  }
});

describe('the store’s share', () => {
  test('after partial refunds is what is left of it, to the penny', async () => {
    const order = await paidOrder(running, store);
    await order.refund(333);
    const { id } = running.payments.controls.openDispute(order.intent);
    await send(id);
    expect(keptByStore(order.intent, order.id)).toBe(0);
    running.payments.controls.closeDispute(id, 'won');
    await send(id);
    expect(keptByStore(order.intent, order.id)).toBe(640 - 333 - (32 - 17));
  });

  test('after a refund that failed does not take again what that refund had reversed', async () => {
    const order = await paidOrder(running, store);
    const { body } = await order.refund(200);
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    const { id } = running.payments.controls.openDispute(order.intent);
    await send(id);
    expect(keptByStore(order.intent, order.id)).toBe(0);
  });

  test('of a dispute of a part is the share of that part', async () => {
    const order = await paidOrder(running, store);
    const { id } = running.payments.controls.openDispute(order.intent, { amount: 100 });
    await send(id);
    expect(await moved(order)).toContainEqual(['transfer_reversal', 95]);
  });

  test('stays with the store where the platform bears disputes', async () => {
    const generous = await running.openStore({ disputes_borne_by: 'platform' });
    const order = await paidOrder(running, generous);
    const { id } = running.payments.controls.openDispute(order.intent);
    await send(id);
    expect([keptByStore(order.intent, order.id), (await moved(order)).map(([kind]) => kind)]).toEqual([608, ['dispute', 'dispute_fee']]);
  });

  test.each(['error_before', 'error_after', 'lost_before', 'lost_after'] as const)(
    'is taken back once when the provider fails by %s, and paid again once',
    async (how) => {
      const order = await paidOrder(running, store);
      running.payments.controls.failNext({ how, method: 'POST', path: '/reversals', times: 5 });
      const { id } = running.payments.controls.openDispute(order.intent);
      await send(id);
      running.payments.controls.clearFaults();
      await moveLater();
      expect(keptByStore(order.intent, order.id)).toBe(0);
      running.payments.controls.failNext({ how, method: 'POST', path: '/v1/transfers', times: 5 });
      running.payments.controls.closeDispute(id, 'won');
      await send(id);
      running.payments.controls.clearFaults();
      await moveLater();
      expect(keptByStore(order.intent, order.id)).toBe(608);
      expect((await moved(order)).filter(([kind]) => String(kind).startsWith('transfer'))).toEqual([
        ['transfer_reversal', 608],
        ['transfer', -608],
      ]);
    },
  );

  test('is taken back once when the process ends after the provider’s response', async () => {
    const order = await paidOrder(running, store);
    const { id } = running.payments.controls.openDispute(order.intent);
    const { context } = running.service;
    const endAfter: typeof context.transfers.reverseTransfer = async (...request) => {
      await context.transfers.reverseTransfer(...request);
      throw new Error('the process ends');
    };
    const dying = { ...context, transfers: { ...context.transfers, reverseTransfer: endAfter } };
    await processProviderEvent(dying, { id: 'evt_dying', type: 'charge.dispute.created', object_id: id });
    expect(await moved(order)).not.toContainEqual(['transfer_reversal', 608]);
    await Promise.all([moveStoreShares(context), moveStoreShares(context)]);
    expect(await moved(order)).toContainEqual(['transfer_reversal', 608]);
    expect(keptByStore(order.intent, order.id)).toBe(0);
  });

  test('that the provider declines to pay again is tried again until it does', async () => {
    const poor = await startRunning();
    try {
      const shop = await poor.openStore();
      const order = await paidOrder(poor, shop);
      const { id } = poor.payments.controls.openDispute(order.intent);
      await sendEventsAbout(poor, id, ...all);
      poor.payments.controls.closeDispute(id, 'won');
      await sendEventsAbout(poor, id, ...all);
      expect((await order.ledger()).map(([kind]) => kind)).not.toContain('transfer');
      const failures = () =>
        poor.service.database.oneFirst(
          sql.type(z.object({ share_failures: z.number() }))`select share_failures from dispute where id = ${id}`,
        );
      expect(await failures()).toBeGreaterThan(0);
      expect(await readProviderState(poor.service.database, poor.clock.now())).toMatchObject({ shares_failing: 1, disputes_due: 0 });
      poor.payments.controls.topUp(10_000, 'gbp');
      // Events are processed with a clock that is ahead.
      poor.clock.advance({ hours: 1 });
      await moveStoreShares(poor.service.context);
      expect([(await order.ledger()).at(-1), await failures()]).toEqual([['transfer', -608], 0]);
    } finally {
      await poor[Symbol.asyncDispose]();
    }
  });
});

async function moveLater() {
  running.clock.advance({ hours: 1 });
  await Promise.all([1, 2].map(() => moveStoreShares(running.service.context)));
}
