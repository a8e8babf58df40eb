/**
 * The types of the provider's events that change something here. Events of these types are read again from the provider's list, so that
 * one whose webhook was lost is found.
 */
export const handledEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
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

/** Whether an event of this type changes something here. */
export const isHandledEvent = (type: string): boolean => (handledEventTypes as readonly string[]).includes(type);

/** Whether an event of this type is about a connected account. */
export const isAccountEvent = (type: string): boolean => type === 'account.updated' || type === 'capability.updated';

/** Whether an event of this type is about a payment intent. */
export const isPaymentEvent = (type: string): boolean => type.startsWith('payment_intent.');
