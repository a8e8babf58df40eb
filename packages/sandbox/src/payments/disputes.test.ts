import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { paid, refusal, stripeTo } from './testing/stripe-to.ts';

let payments: RunningPayments;
let stripe: Stripe;
beforeEach(async () => {
  payments = await startPayments({ accounts: ['acct_shop'], settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterEach(() => payments.stop());

const movements = async (source: string) =>
  (await stripe.balanceTransactions.list({ source })).data.map(({ type, amount, fee, net, reporting_category }) => [
    type,
    amount,
    fee,
    net,
    reporting_category,
  ]);
const emitted = async () => {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .map(({ type }) => type)
    .filter((type) => type.startsWith('charge.dispute.'))
    .reverse();
};
const day = 24 * 60 * 60;

test('a dispute withdraws its amount and a fee at once, and names the last day for evidence', async () => {
  const { id, latest_charge } = await paid(stripe);
  const dispute = await stripe.disputes.retrieve(payments.controls.openDispute(id, { reason: 'product_not_received' }).id);
  expect(dispute).toMatchObject({
    amount: 1_000,
    charge: latest_charge,
    payment_intent: id,
    reason: 'product_not_received',
    status: 'needs_response',
    is_charge_refundable: false,
    evidence_details: { due_by: dispute.created + 14 * day, has_evidence: false, past_due: false, submission_count: 0 },
    balance_transactions: [{ type: 'adjustment', amount: -1_000, fee: 2_000, net: -3_000, source: dispute.id }],
  });
  expect(await movements(dispute.id)).toEqual([['adjustment', -1_000, 2_000, -3_000, 'dispute']]);
  expect(await emitted()).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
  expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ statusCode: 400, code: 'charge_disputed' });
  expect((await stripe.charges.retrieve(latest_charge as string)).disputed).toBe(true);
  expect(() => payments.controls.openDispute(id)).toThrow('cannot be disputed');
});

test('a dispute is answered with evidence, then decided', async () => {
  const { id } = await paid(stripe);
  const dispute = payments.controls.openDispute(id);
  const staged = await stripe.disputes.update(dispute.id, { evidence: { product_description: 'A cake' }, submit: false });
  expect([staged.status, staged.evidence_details.has_evidence]).toEqual(['needs_response', true]);
  const sent = await stripe.disputes.update(dispute.id, { evidence: { customer_name: 'Ana' } });
  expect(sent).toMatchObject({ status: 'under_review', evidence: { product_description: 'A cake' } });
  expect(sent.evidence_details).toMatchObject({ submission_count: 1, past_due: false });
  payments.controls.closeDispute(dispute.id, 'won');
  expect((await stripe.disputes.retrieve(dispute.id)).status).toBe('won');
  expect(await movements(dispute.id)).toEqual([
    ['adjustment', 1_000, 0, 1_000, 'dispute_reversal'],
    ['adjustment', -1_000, 2_000, -3_000, 'dispute'],
  ]);
  expect((await emitted()).slice(2)).toEqual([
    'charge.dispute.updated',
    'charge.dispute.updated',
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
  ]);
  expect(await refusal(stripe.disputes.update(dispute.id, { evidence: { customer_name: 'Ana' } }))).toMatchObject({ statusCode: 400 });
  expect(() => payments.controls.closeDispute(dispute.id, 'lost')).toThrow('is closed');
});

test('evidence after the last day is past due', async () => {
  const dispute = payments.controls.openDispute((await paid(stripe)).id);
  payments.controls.advance(15 * day * 1_000);
  const sent = await stripe.disputes.update(dispute.id, { evidence: { customer_name: 'Ana' } });
  expect(sent.evidence_details.past_due).toBe(true);
});

test('a dispute that is won returns the fee where Stripe does so', async () => {
  const dispute = payments.controls.openDispute((await paid(stripe)).id);
  payments.controls.closeDispute(dispute.id, 'won', { feeReturned: true });
  expect((await movements(dispute.id))[0]).toEqual(['adjustment', 1_000, -2_000, 3_000, 'dispute_reversal']);
});

test('a dispute that is lost returns nothing', async () => {
  const { id } = await paid(stripe);
  const dispute = payments.controls.openDispute(id, { amount: 400 });
  payments.controls.closeDispute(dispute.id, 'lost');
  expect((await stripe.disputes.list({ payment_intent: id })).data).toMatchObject([{ status: 'lost', amount: 400 }]);
  expect(await movements(dispute.id)).toEqual([['adjustment', -400, 2_000, -2_400, 'dispute']]);
  expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'charge_disputed' });
  expect(await emitted()).toContain('charge.dispute.closed');
});

test('an inquiry withdraws nothing, allows refunds, and is closed or becomes a dispute', async () => {
  const { id } = await paid(stripe);
  const inquiry = payments.controls.openDispute(id, { inquiry: true });
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', is_charge_refundable: true, balance_transactions: [] });
  await stripe.refunds.create({ payment_intent: id, amount: 100 });
  expect(() => payments.controls.closeDispute(inquiry.id, 'won')).toThrow('cannot be won');
  payments.controls.escalateInquiry(inquiry.id);
  expect(await movements(inquiry.id)).toEqual([['adjustment', -1_000, 2_000, -3_000, 'dispute']]);
  expect(await refusal(stripe.refunds.create({ payment_intent: id, amount: 100 }))).toMatchObject({ code: 'charge_disputed' });
  expect(await emitted()).toEqual(['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.funds_withdrawn']);

  const other = payments.controls.openDispute((await paid(stripe)).id, { inquiry: true });
  const answered = await stripe.disputes.update(other.id, { evidence: { customer_name: 'Ana' } });
  expect(answered.status).toBe('warning_under_review');
  expect(payments.controls.closeDispute(other.id, 'warning_closed')).toMatchObject({ status: 'warning_closed' });
  expect(() => payments.controls.escalateInquiry(other.id)).toThrow('is no open inquiry');
});
