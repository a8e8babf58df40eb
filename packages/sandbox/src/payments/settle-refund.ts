import { recordBalance } from './balance.ts';
import { cardOf } from './cards.ts';
import { noSuch, StripeRefusal } from './refusal.ts';
import type { Charge, Refund } from './stripe-shapes.ts';
import type { World } from './world.ts';

export function succeedRefund(world: World, id: string): Refund {
  const refund = refundOf(world, id);
  if (refund.status !== 'pending') throw new StripeRefusal(400, `The refund is not pending: its status is ${refund.status}.`);
  const done = world.books.put<Refund>({ ...refund, status: 'succeeded' });
  world.publish('refund.updated', done, { previous: { status: refund.status } });
  return done;
}

/**
 * Makes a refund fail, perhaps days after it succeeded. The money returns to the platform; the transfer stays reversed and the fee
 * refunded, since Stripe leaves passing it on to the platform.
 */
export function failRefund(world: World, id: string, reason: string): Refund {
  const refund = refundOf(world, id);
  if (refund.status !== 'pending' && refund.status !== 'succeeded') {
    throw new StripeRefusal(400, `The refund can no longer fail: its status is ${refund.status}.`);
  }
  const charge = world.books.get('charge', refund.charge ?? '');
  if (!charge) throw noSuch('charge', refund.charge ?? '', 'charge');
  const returned = recordBalance(world, { type: 'refund_failure', source: refund.id, amount: refund.amount, currency: refund.currency });
  const failed = world.books.put<Refund>({ ...refund, status: 'failed', failure_reason: reason, failure_balance_transaction: returned.id });
  world.books.put<Charge>({ ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
  world.publish('refund.updated', failed, { previous: { status: refund.status } });
  world.publish('refund.failed', failed, { previous: { status: refund.status } });
  return failed;
}

/** Lets the bank decide after its time, unless a control decided before. */
export function settleRefundInTime(world: World, { id, charge, status }: Refund): void {
  const special = cardOf(world.books.get('charge', charge ?? '')?.payment_method ?? '')?.refund;
  const comesBack = special === 'fails_later' && status === 'succeeded';
  if (!comesBack && status !== 'pending') return;
  world.later(() => {
    if (world.books.get('refund', id)?.status !== status) return;
    if (comesBack) failRefund(world, id, 'expired_or_canceled_card');
    else succeedRefund(world, id);
  });
}

function refundOf(world: World, id: string): Refund {
  const refund = world.books.get('refund', id);
  if (!refund) throw noSuch('refund', id, 'id');
  return refund;
}
