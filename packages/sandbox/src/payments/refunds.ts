import { recordBalance } from './balance.ts';
import { cardOf } from './cards.ts';
import { checkSteps, shown } from './currencies.ts';
import { isRefundable } from './disputes.ts';
import { mergeMetadata, oneOf, readParameters } from './parameters.ts';
import { refundFee, reverseTransfer } from './refund-shares.ts';
import { badParameter, noSuch, StripeRefusal, unexpectedState } from './refusal.ts';
import { settleRefundInTime } from './settle-refund.ts';
import type { Charge, Refund } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export function createRefund(call: Call, world: World): Refund {
  const given = readParameters(call.form, {
    amount: 'integer',
    charge: 'string',
    expand: 'any',
    metadata: 'metadata',
    payment_intent: 'string',
    reason: 'string',
    refund_application_fee: 'boolean',
    reverse_transfer: 'boolean',
  });
  const reason = given.reason === undefined ? null : oneOf(reasons, given.reason, 'reason');
  const charge = paidCharge(world, given.payment_intent, given.charge);
  const amount = refundable(world, charge, given.amount);

  const id = world.newId('re_3');
  // Both shares are checked before either is written, so that a refund is made completely or not at all.
  const reversal = given.reverse_transfer ? reverseTransfer(world, charge, amount, id) : null;
  const share = given.refund_application_fee ? refundFee(world, charge, amount) : null;
  const refund = world.books.put<Refund>({
    id,
    object: 'refund',
    amount,
    balance_transaction: recordBalance(world, { type: 'refund', source: id, amount: -amount, currency: charge.currency }).id,
    charge: charge.id,
    created: seconds(world.now()),
    currency: charge.currency,
    metadata: mergeMetadata({}, given.metadata),
    payment_intent: charge.payment_intent,
    reason,
    source_transfer_reversal: null,
    status: cardOf(charge.payment_method ?? '')?.refund === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: reversal?.make() ?? null,
  });
  share?.make();
  const refunded = charge.amount_refunded + amount;
  const reduced = world.books.put<Charge>({ ...charge, amount_refunded: refunded, refunded: refunded === charge.amount_captured });
  world.publish('refund.created', refund);
  world.publish('charge.refunded', reduced, { previous: { amount_refunded: charge.amount_refunded, refunded: charge.refunded } });
  settleRefundInTime(world, refund);
  return refund;
}

function paidCharge(world: World, intentId: string | undefined, chargeId: string | undefined): Charge {
  if (intentId === undefined && chargeId === undefined) {
    throw badParameter(
      'payment_intent',
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    );
  }
  const intent = intentId === undefined ? undefined : world.books.get('payment_intent', intentId);
  if (intentId !== undefined && !intent) throw noSuch('payment_intent', intentId, 'payment_intent');
  if (intent && intent.status !== 'succeeded') {
    throw unexpectedState(intent, `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  }
  const id = chargeId ?? intent?.latest_charge ?? '';
  const charge = world.books.get('charge', id);
  if (!charge || (intent && charge.payment_intent !== intent.id)) throw noSuch('charge', id, 'charge');
  return charge;
}

function refundable(world: World, charge: Charge, requested: number | undefined): number {
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.disputed && !isRefundable(world, charge)) {
    throw new StripeRefusal(400, `Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
  }
  if (left === 0) {
    throw new StripeRefusal(400, `Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  if (requested !== undefined && requested < 1) {
    throw badParameter('amount', 'This value must be greater than or equal to 1.', 'parameter_invalid_integer');
  }
  if (requested !== undefined) checkSteps(requested, charge.currency);
  if (requested !== undefined && requested > left) {
    throw badParameter(
      'amount',
      `Refund amount (${shown(requested, charge.currency)}) is greater than unrefunded amount on charge (${shown(left, charge.currency)})`,
    );
  }
  return requested ?? left;
}
