import type { DataOf, orderRefundFailed, paymentDisputed, staffInvited, storeAccountChanged, storeOrdersRefused } from '@corner/contracts';
import type { EventContent, StoreMessage } from './content.ts';

export const storeMessageForStampsWaiting = (storeId: string, stamps: number): StoreMessage => ({
  template: 'store.stamps_waiting',
  data: { stamps },
  topic: stampsWaitingTopic(storeId),
  expiresAt: null,
});

export const stampsWaitingTopic = (storeId: string): string => `stamps-waiting:${storeId}`;

export const storeMessageForStampsReviewed = (
  reportId: string,
  { approved, rejected }: { readonly approved: number; readonly rejected: number },
): StoreMessage => ({
  template: 'store.stamps_reviewed',
  data: { approved, rejected },
  topic: `stamps-reviewed:${reportId}`,
  expiresAt: null,
});

export function storeMessageForRefundFailed(order: DataOf<typeof orderRefundFailed>): StoreMessage {
  const { order_number, amount_pence, currency, reason, refund_id } = order;
  return {
    template: 'store.refund_failed',
    data: { order_number, amount_pence, currency, reason },
    topic: `store-refund:${refund_id}`,
    expiresAt: null,
  };
}

export function storeMessageForDispute(dispute: DataOf<typeof paymentDisputed>): StoreMessage {
  const { order_number, amount_pence, currency, reason, dispute_id, state, evidence_due_by } = dispute;
  const data = { order_number, amount_pence, currency, reason };
  const rest = { topic: `dispute:${dispute_id}`, expiresAt: null };
  if (state === 'opened') return { template: 'store.dispute_opened', data: { ...data, evidence_due_by }, ...rest };
  return { template: state === 'won' ? 'store.dispute_won' : 'store.dispute_lost', data, ...rest };
}

export function storeMessageForAccount({ store_id, accepts_orders, reasons }: DataOf<typeof storeAccountChanged>): StoreMessage {
  const rest = { topic: `account:${store_id}`, expiresAt: null };
  return accepts_orders
    ? { template: 'store.account_restored', data: {}, ...rest }
    : { template: 'store.account_restricted', data: { reasons }, ...rest };
}

export function storeMessageForOrdersRefused({ store_id, refused, since, reasons }: DataOf<typeof storeOrdersRefused>): StoreMessage {
  return { template: 'store.orders_refused', data: { refused, since, reasons }, topic: `orders-refused:${store_id}`, expiresAt: null };
}

/** Stores no data of the invited person: the directory has it when the mail is sent. */
export function contentForStaffInvited({ invitation_id }: DataOf<typeof staffInvited>): EventContent {
  const topic = `invitation:${invitation_id}`;
  const rest = { topic, channel: 'email', waitSeconds: 0, expiresAt: null, entryRef: invitation_id } as const;
  return { supersedes: [topic], message: { template: 'staff.invited', data: {}, ...rest } };
}
