/**
 * The provider's event types that change something here. They are also read from the provider's list, to find events whose webhook was
 * lost.
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

/** Payout events belong to connected accounts, so the platform's list lacks them; the job that reads payouts makes up for lost ones. */
const payoutEventTypes: readonly string[] = [
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.reconciliation_completed',
];

export const isHandledEvent = (type: string): boolean => (handledEventTypes as readonly string[]).includes(type) || isPayoutEvent(type);

export const isPayoutEvent = (type: string): boolean => payoutEventTypes.includes(type);

export const isAccountEvent = (type: string): boolean => type === 'account.updated' || type === 'capability.updated';

export const isPaymentEvent = (type: string): boolean => type.startsWith('payment_intent.');
