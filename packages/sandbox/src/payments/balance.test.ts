import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import type { Statement } from './books.ts';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { paid, refusal, stripeTo } from './testing/stripe-to.ts';

let payments: RunningPayments;
let stripe: Stripe;
beforeEach(async () => {
  payments = await startPayments({ accounts: ['acct_shop'], settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterEach(() => payments.stop());

const all = async (params: Stripe.BalanceTransactionListParams = {}) =>
  (await stripe.balanceTransactions.list({ limit: 100, ...params })).data;
const available = async () => (await stripe.balance.retrieve()).available.find(({ currency }) => currency === 'gbp')?.amount ?? 0;
const chargeOf = ({ latest_charge }: Stripe.PaymentIntent) => latest_charge as string;
const shares = { reverse_transfer: true, refund_application_fee: true };

describe('the balance', () => {
  test('is the sum of its transactions, and of what happened, after every step', async () => {
    const agrees = async (step: string) => {
      const net = (await all()).reduce((sum, one) => sum + one.net, 0);
      expect([step, net, net]).toEqual([step, await available(), expectedBalance(payments.books())]);
    };
    const { controls } = payments;
    await agrees('nothing');
    const [one, two, three] = [await paid(stripe), await paid(stripe, { amount: 700 }), await paid(stripe)];
    await agrees('charges');
    const refund = await stripe.refunds.create({ payment_intent: one.id, amount: 333, ...shares });
    await agrees('a refund');
    controls.failRefund(refund.id);
    await agrees('a refund that failed');
    const dispute = controls.openDispute(two.id);
    await agrees('a dispute');
    const transfer = (await stripe.charges.retrieve(chargeOf(two))).transfer as string;
    await stripe.transfers.createReversal(transfer, { amount: 200 });
    await stripe.transfers.createReversal(transfer, { refund_application_fee: true });
    await agrees('transfer reversals');
    controls.closeDispute(dispute.id, 'won');
    await agrees('a dispute that was won');
    const lost = controls.openDispute(three.id);
    controls.closeDispute(lost.id, 'lost');
    await agrees('a dispute that was lost');
  });

  test('is moved by a destination charge three times: by the charge less a fee, the transfer, and the platform’s fee', async () => {
    const intent = await paid(stripe);
    const [fee, transfer, charge, ...others] = await all();
    expect(others).toEqual([]);
    expect(charge).toMatchObject({ type: 'charge', source: chargeOf(intent), amount: 1_000, fee: 35, net: 965, currency: 'gbp' });
    expect(charge?.fee_details).toMatchObject([{ amount: 35, type: 'stripe_fee', currency: 'gbp' }]);
    expect(transfer).toMatchObject({ type: 'transfer', amount: -1_000, fee: 0, net: -1_000, fee_details: [] });
    expect(fee).toMatchObject({ type: 'application_fee', amount: 33, net: 33 });
    expect(await stripe.transfers.retrieve(transfer?.source as string)).toMatchObject({ balance_transaction: transfer?.id });
  });

  test('is moved by a refund, its failure, and the shares it took back', async () => {
    const { id } = await paid(stripe);
    const before = (await all()).length;
    const refund = await stripe.refunds.create({ payment_intent: id, amount: 500, ...shares });
    payments.controls.failRefund(refund.id);
    const moved = (await all()).slice(0, -before).map(({ type, amount, source }) => [type, amount, source === refund.id]);
    expect(moved).toEqual([
      ['refund_failure', 500, true],
      ['application_fee_refund', -17, false],
      ['transfer_refund', 500, false],
      ['refund', -500, true],
    ]);
  });

  test('lists its transactions by type, source, time and payout', async () => {
    const intent = await paid(stripe);
    expect((await all({ type: 'charge' })).map(({ source }) => source)).toEqual([chargeOf(intent)]);
    expect((await all({ source: chargeOf(intent) })).map(({ type }) => type)).toEqual(['charge']);
    expect(await all({ created: { gt: Math.floor(Date.now() / 1_000) + 60 } })).toEqual([]);
    payments.controls.topUp(5_000);
    const before = (await all()).length;
    const payout = payments.controls.payOut(null);
    expect(await available()).toBe(0);
    await paid(stripe);
    expect(await all({ payout: payout.id })).toHaveLength(before + 1);
    expect((await all({ payout: payout.id, type: 'payout' })).map(({ net }) => net)).toEqual([-payout.amount]);
    const page = await stripe.balanceTransactions.list({ limit: 2 });
    const next = await stripe.balanceTransactions.list({ limit: 2, starting_after: page.data[1]?.id ?? '' });
    expect([...page.data, ...next.data].map(({ id }) => id)).toEqual((await all()).slice(0, 4).map(({ id }) => id));
  });
});

describe('a transfer', () => {
  const transferOf = async (intent: Stripe.PaymentIntent) => (await stripe.charges.retrieve(chargeOf(intent))).transfer as string;
  const again = { amount: 400, currency: 'gbp', destination: 'acct_shop', transfer_group: 'order-1' };

  test('is reversed in parts, at most in full; the reversals are listed', async () => {
    const transfer = await transferOf(await paid(stripe));
    const part = await stripe.transfers.createReversal(transfer, { amount: 400, metadata: { dispute: 'du_1' } });
    expect(part).toMatchObject({ object: 'transfer_reversal', amount: 400, transfer, source_refund: null, metadata: { dispute: 'du_1' } });
    expect(await refusal(stripe.transfers.createReversal(transfer, { amount: 601 }))).toMatchObject({ statusCode: 400, param: 'amount' });
    expect(await refusal(stripe.transfers.createReversal(transfer, { amount: 0 }))).toMatchObject({ param: 'amount' });
    const rest = await stripe.transfers.createReversal(transfer);
    expect(rest.amount).toBe(600);
    expect(await stripe.transfers.retrieve(transfer)).toMatchObject({ amount: 1_000, amount_reversed: 1_000, reversed: true });
    expect((await refusal(stripe.transfers.createReversal(transfer))).message).toContain('already fully reversed');
    expect((await stripe.transfers.listReversals(transfer)).data.map(({ id }) => id)).toEqual([rest.id, part.id]);
    expect(await refusal(stripe.transfers.createReversal('tr_none'))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    expect((await stripe.events.list({ type: 'transfer.reversed' })).data).toHaveLength(2);
  });

  test('that was reversed leaves a refund less to take back', async () => {
    const intent = await paid(stripe);
    await stripe.transfers.createReversal(await transferOf(intent), { amount: 700, refund_application_fee: true });
    expect((await stripe.applicationFees.list()).data).toMatchObject([{ amount_refunded: 23 }]);
    const refund = { payment_intent: intent.id, reverse_transfer: true };
    expect(await refusal(stripe.refunds.create({ ...refund, amount: 301 }))).toMatchObject({ param: 'reverse_transfer' });
    await stripe.refunds.create({ ...refund, amount: 300 });
    expect(await stripe.transfers.retrieve(await transferOf(intent))).toMatchObject({ amount_reversed: 1_000 });
  });

  test('of a destination charge is reversed also when the account was paid out', async () => {
    const transfer = await transferOf(await paid(stripe));
    expect(payments.controls.payOut('acct_shop')).toMatchObject({ amount: 967 });
    expect(await stripe.transfers.createReversal(transfer)).toMatchObject({ amount: 1_000 });
  });

  test('made by itself needs the platform’s balance, and its reversal the account’s', async () => {
    const key = { idempotencyKey: 'again:1' };
    expect(await refusal(stripe.transfers.create(again, key))).toMatchObject({ statusCode: 400, code: 'balance_insufficient' });
    payments.controls.topUp(1_000);
    expect(await refusal(stripe.transfers.create(again, key))).toMatchObject({ code: 'balance_insufficient' });
    const { id } = await stripe.transfers.create(again, { idempotencyKey: 'again:2' });
    expect(await stripe.transfers.retrieve(id)).toMatchObject({ ...again, amount_reversed: 0, source_transaction: null });
    expect((await stripe.transfers.list({ transfer_group: 'order-1' })).data.map((one) => one.id)).toEqual([id]);
    payments.controls.payOut('acct_shop');
    expect(await refusal(stripe.transfers.createReversal(id))).toMatchObject({ code: 'balance_insufficient' });
  });

  test('from a charge cannot exceed it', async () => {
    const charged = await paid(stripe);
    const source_transaction = chargeOf(charged);
    expect(await refusal(stripe.transfers.create({ ...again, source_transaction }))).toMatchObject({ param: 'source_transaction' });
    const plain = await stripe.paymentIntents.create({ amount: 1_000, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' });
    const from = { ...again, source_transaction: chargeOf(plain) };
    await stripe.transfers.create(from);
    expect(await refusal(stripe.transfers.create({ ...from, amount: 601 }))).toMatchObject({ param: 'source_transaction' });
    expect(await refusal(stripe.transfers.create({ ...from, currency: 'eur' }))).toMatchObject({ param: 'currency' });
  });

  test('to an unknown account, or to one that cannot receive it, is refused', async () => {
    payments.controls.topUp(1_000);
    expect(await refusal(stripe.transfers.create({ ...again, destination: 'acct_none' }))).toMatchObject({ code: 'resource_missing' });
    payments.controls.registerAccount('acct_shop', { transfers: 'pending' });
    expect(await refusal(stripe.transfers.create(again))).toMatchObject({ code: 'insufficient_capabilities_for_transfer' });
  });
});

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

function expectedBalance({ charges, refunds, transfers, applicationFees, disputes, payouts }: Statement): number {
  const taken = charges.filter(({ captured }) => captured).map(({ amount_captured }) => amount_captured);
  const withdrawn = disputes.filter(({ status }) => !status.startsWith('warning_'));
  return (
    sum(taken) -
    sum(taken.map((amount) => Math.round(amount * 0.015) + 20)) -
    sum(refunds.filter(({ status }) => status !== 'failed').map(({ amount }) => amount)) -
    sum(transfers.map(({ amount, amount_reversed }) => amount - amount_reversed)) +
    sum(applicationFees.map(({ amount, amount_refunded }) => amount - amount_refunded)) -
    sum(withdrawn.map(({ amount, status }) => (status === 'won' ? 0 : amount) + 2_000)) -
    sum(payouts.filter(({ account }) => account === null).map(({ amount }) => amount))
  );
}
