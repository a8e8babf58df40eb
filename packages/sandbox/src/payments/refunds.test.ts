import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { order, paid, refusal, stripeTo } from './testing/stripe-to.ts';

let payments: RunningPayments;
let stripe: Stripe;
beforeAll(async () => {
  payments = await startPayments({ accounts: ['acct_shop'], settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterAll(() => payments.stop());

const shares = {
  reverse_transfer: true,
  refund_application_fee: true,
  expand: ['charge.application_fee', 'charge.transfer', 'transfer_reversal'],
};

async function figures(intent: string) {
  const { latest_charge } = await stripe.paymentIntents.retrieve(intent, {
    expand: ['latest_charge.application_fee', 'latest_charge.transfer'],
  });
  const charge = latest_charge as Stripe.Charge;
  const [fee, transfer] = [charge.application_fee as Stripe.ApplicationFee, charge.transfer as Stripe.Transfer];
  return { refunded: charge.amount_refunded, whole: charge.refunded, fee: fee.amount_refunded, transfer: transfer.amount_reversed };
}

describe('a refund', () => {
  test('in thirds returns the fee and the transfer in proportion, and to the penny in the end', async () => {
    const { id } = await paid(stripe, { amount: 1_000, application_fee_amount: 100 });
    const parts: unknown[] = [];
    for (const amount of [333, 333, 334]) {
      const refund = await stripe.refunds.create({ payment_intent: id, amount, ...shares });
      parts.push([refund.amount, (refund.transfer_reversal as Stripe.TransferReversal).amount, await figures(id)]);
    }
    expect(parts).toEqual([
      [333, 333, { refunded: 333, whole: false, fee: 33, transfer: 333 }],
      [333, 333, { refunded: 666, whole: false, fee: 67, transfer: 666 }],
      [334, 334, { refunded: 1_000, whole: true, fee: 100, transfer: 1_000 }],
    ]);
  });

  test('without an amount returns what is left; the shop and the platform keep their shares unless requested', async () => {
    const { id } = await paid(stripe);
    await stripe.refunds.create({ payment_intent: id, amount: 400 });
    expect(await figures(id)).toEqual({ refunded: 400, whole: false, fee: 0, transfer: 0 });
    const rest = await stripe.refunds.create({ payment_intent: id, ...shares });
    expect(rest).toMatchObject({ amount: 600, status: 'succeeded' });
    expect(await figures(id)).toEqual({ refunded: 1_000, whole: true, fee: 20, transfer: 600 });
    const listed = await stripe.refunds.list({ payment_intent: id });
    expect(listed.data.map(({ amount }) => amount)).toEqual([600, 400]);
    expect(await stripe.refunds.retrieve(rest.id)).toMatchObject({ id: rest.id, amount: 600 });
  });

  test('is refused beyond the remaining amount, and when nothing is left', async () => {
    const { id } = await paid(stripe);
    await stripe.refunds.create({ payment_intent: id, amount: 700 });
    expect(await refusal(stripe.refunds.create({ payment_intent: id, amount: 301 }))).toMatchObject({ statusCode: 400, param: 'amount' });
    await stripe.refunds.create({ payment_intent: id, amount: 300 });
    expect(await refusal(stripe.refunds.create({ payment_intent: id, amount: 1 }))).toMatchObject({ code: 'charge_already_refunded' });
    expect(await figures(id)).toMatchObject({ refunded: 1_000 });
  });

  test('succeeds, of 20 at the same time, only as often as there is money', async () => {
    const { id } = await paid(stripe);
    const requested = await Promise.allSettled(
      Array.from({ length: 20 }, () => stripe.refunds.create({ payment_intent: id, amount: 300, ...shares })),
    );
    expect(requested.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await figures(id)).toMatchObject({ refunded: 900, transfer: 900, fee: 30 });
  });

  test.each<[string, Stripe.RefundCreateParams, object]>([
    ['without a charge', {}, { param: 'payment_intent' }],
    ['of an unknown intent', { payment_intent: 'pi_none' }, { statusCode: 404, code: 'resource_missing' }],
    ['of an unknown charge', { charge: 'ch_none' }, { statusCode: 404, code: 'resource_missing' }],
    ['for an unknown reason', { payment_intent: 'pi_none', reason: 'because' as 'duplicate' }, { param: 'reason' }],
  ])('%s is refused', async (_, params, error) => {
    expect(await refusal(stripe.refunds.create(params))).toMatchObject(error);
  });

  test.each([0, -5])('of %p is refused', async (amount) => {
    const { id } = await paid(stripe);
    expect(await refusal(stripe.refunds.create({ payment_intent: id, amount }))).toMatchObject({ code: 'parameter_invalid_integer' });
  });

  test('of an unpaid intent is refused', async () => {
    const { id } = await stripe.paymentIntents.create(order);
    expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  test('cannot return a share that was never taken, and then has no effect', async () => {
    const plain = await stripe.paymentIntents.create({ amount: 1_000, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' });
    expect(await refusal(stripe.refunds.create({ payment_intent: plain.id, reverse_transfer: true }))).toMatchObject({
      param: 'reverse_transfer',
    });
    const free = await stripe.paymentIntents.create({ ...order, application_fee_amount: 0, confirm: true, payment_method: 'pm_card_visa' });
    expect(await refusal(stripe.refunds.create({ payment_intent: free.id, ...shares }))).toMatchObject({ param: 'refund_application_fee' });
    expect((await stripe.refunds.list({ payment_intent: free.id })).data).toEqual([]);
    expect(payments.books().transfers.at(-1)?.amount_reversed).toBe(0);
  });

  test('that fails later frees its amount, while the transfer stays reversed', async () => {
    const { id } = await paid(stripe);
    const refund = await stripe.refunds.create({ payment_intent: id, ...shares });
    payments.controls.failRefund(refund.id, 'lost_or_stolen_card');
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed', failure_reason: 'lost_or_stolen_card' });
    expect(await figures(id)).toEqual({ refunded: 0, whole: false, fee: 33, transfer: 1_000 });
    expect(await refusal(stripe.refunds.create({ payment_intent: id, ...shares }))).toMatchObject({ param: 'reverse_transfer' });
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 1_000, status: 'succeeded' });
    expect(() => payments.controls.failRefund(refund.id)).toThrow('can no longer fail');
  });

  test('can be pending until the bank decides', async () => {
    const { id } = await paid(stripe, {}, 'pm_card_pendingRefund');
    const refund = await stripe.refunds.create({ payment_intent: id, amount: 200 });
    expect(refund.status).toBe('pending');
    expect(await figures(id)).toMatchObject({ refunded: 200 });
    payments.controls.settleRefund(refund.id);
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  });

  test('of a disputed charge is refused', async () => {
    const { id } = await paid(stripe);
    const dispute = payments.controls.openDispute(id);
    expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'charge_disputed' });
    payments.controls.closeDispute(dispute.id, 'won');
    expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: 'won', amount: 1_000, payment_intent: id });
  });

  test('made in the dashboard is like any other, except that its event names no request', async () => {
    const { id } = await paid(stripe);
    const refund = payments.controls.dashboardRefund(id, 250);
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ amount: 250, metadata: {} });
    const [event] = (await stripe.events.list({ type: 'charge.refunded', limit: 1 })).data;
    expect(event).toMatchObject({ request: { id: null }, data: { object: { payment_intent: id, amount_refunded: 250 } } });
  });

  test('is subtracted from the balance', async () => {
    const { id } = await paid(stripe);
    const refund = await stripe.refunds.create({ payment_intent: id, amount: 400 });
    const charge = (await stripe.paymentIntents.retrieve(id)).latest_charge;
    const movements = payments.books().balanceTransactions.filter(({ source }) => source === charge || source === refund.id);
    expect(movements.map(({ type, amount, net }) => [type, amount, net])).toEqual([
      ['charge', 1_000, 965],
      ['refund', -400, -400],
    ]);
  });
});
