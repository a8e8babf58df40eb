import { recordBalance } from './charge.ts';
import { noSuch, StripeRefusal } from './refusal.ts';
import type { Charge, Dispute } from './stripe-shapes.ts';
import { seconds, type World } from './world.ts';

/** A customer's bank withdraws a payment while a dispute lasts. `reason` is one of Stripe's, for example fraudulent. */
export function openDispute(world: World, chargeId: string, reason: string): Dispute {
  const charge = world.books.get('charge', chargeId);
  if (!charge) throw noSuch('charge', chargeId, 'charge');
  if (!charge.captured || charge.disputed) throw new StripeRefusal(400, `Charge ${charge.id} cannot be disputed, or is already.`);
  const amount = charge.amount_captured - charge.amount_refunded;
  const dispute = world.books.put<Dispute>({
    id: world.newId('du_'),
    object: 'dispute',
    amount,
    charge: charge.id,
    created: seconds(world.now()),
    currency: charge.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  });
  recordBalance(world, { type: 'adjustment', source: dispute.id, amount: -amount, currency: charge.currency });
  world.books.put<Charge>({ ...charge, disputed: true });
  world.publish('charge.dispute.created', dispute);
  return dispute;
}

/** The bank decides. A dispute that is won returns the money; the charge stays marked as disputed, as at Stripe. */
export function closeDispute(world: World, id: string, outcome: 'won' | 'lost'): Dispute {
  const dispute = world.books.get('dispute', id);
  if (!dispute) throw noSuch('dispute', id, 'id');
  if (dispute.status !== 'needs_response') throw new StripeRefusal(400, `The dispute is closed: its status is ${dispute.status}.`);
  const closed = world.books.put<Dispute>({ ...dispute, status: outcome });
  if (outcome === 'won') {
    recordBalance(world, { type: 'adjustment', source: dispute.id, amount: dispute.amount, currency: dispute.currency });
  }
  world.publish('charge.dispute.closed', closed, { previous: { status: dispute.status } });
  return closed;
}
