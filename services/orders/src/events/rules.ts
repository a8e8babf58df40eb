/**
 * The types of the provider's events that change something here. Events of these types are read again from the provider's list, so that
 * one whose webhook was lost is found.
 */
export const handledEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'account.updated',
  'capability.updated',
] as const;

/**
 * Those of payouts, which change something here too. Where the platform lists its own events, those of connected accounts are not among
 * them; a lost one is made up for by the job that reads payouts.
 */
const payoutEventTypes: readonly string[] = [
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.reconciliation_completed',
];

/** Whether an event of this type changes something here. */
export const isHandledEvent = (type: string): boolean => (handledEventTypes as readonly string[]).includes(type) || isPayoutEvent(type);

/** Whether an event of this type is about a payout of a connected account. */
export const isPayoutEvent = (type: string): boolean => payoutEventTypes.includes(type);

/** Whether an event of this type is about a connected account. */
export const isAccountEvent = (type: string): boolean => type === 'account.updated' || type === 'capability.updated';

/** Whether an event of this type is about a payment intent. */
export const isPaymentEvent = (type: string): boolean => type.startsWith('payment_intent.');
