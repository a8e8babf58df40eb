import type Stripe from 'stripe';
import { disputeState, type ProviderDispute } from '../rules/disputes.ts';
import { idOf } from './provider-shapes.ts';
import { calling, orNull } from './stripe-client.ts';

/** The disputes of payments at the provider. */
export interface Disputes {
  /** The id of the intent a dispute is about; null when the platform's account does not know it. */
  intentOfDispute(disputeId: string): Promise<string | null>;
  /** All disputes of an intent, and all inquiries, oldest first. */
  disputesOf(intentId: string): Promise<readonly ProviderDispute[]>;
}

export const createDisputes = (stripe: Stripe): Disputes => ({
  intentOfDispute: (id) => calling(() => orNull(async () => idOf((await stripe.disputes.retrieve(id)).payment_intent))),
  disputesOf: (intentId) =>
    calling(async () => (await stripe.disputes.list({ payment_intent: intentId, limit: 100 })).data.map(disputeOf).toReversed()),
});

const disputeOf = ({
  id,
  status,
  reason,
  amount,
  currency,
  evidence_details,
  charge,
  balance_transactions,
}: Stripe.Dispute): ProviderDispute => ({
  id,
  state: disputeState(status),
  reason: reason || null,
  amountPence: amount,
  currency: currency.toUpperCase(),
  evidenceDueBy: evidence_details.due_by ? new Date(evidence_details.due_by * 1000) : null,
  awaitsEvidence: status === 'needs_response',
  chargeId: idOf(charge),
  movements: balance_transactions.map((movement) => ({
    id: movement.id,
    amountPence: movement.amount,
    feePence: movement.fee,
    currency: movement.currency.toUpperCase(),
  })),
});
