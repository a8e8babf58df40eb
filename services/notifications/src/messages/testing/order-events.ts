import { randomUUID } from 'node:crypto';
import {
  type Envelope,
  orderCancelled,
  orderFulfilmentChanged,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  orderRunningLate,
  orderSlotMoved,
  orderStatusChanged,
  paymentDisputed,
} from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import type { Guest } from './messaging.ts';

/** Creates the events that orders would publish about one order. */
export function orderEvents({ customerId, storeId }: Guest, orderId: string = randomUUID()) {
  const names = { order_id: orderId, order_number: 'S1-1001', store_id: storeId, customer_id: customerId };
  const about = (sequence: number) => ({ aggregateId: orderId, sequence, storeId, customerId });
  const ended = { ...names, voucher_id: null, reason: null };
  const refund = { ...names, refund_id: randomUUID(), amount_pence: 250, cumulative_pence: 250 };
  return {
    paid: (sequence = 1): Envelope =>
      envelopeOf(
        orderPaid,
        {
          ...names,
          paid_at: '2026-06-01T12:00:00Z',
          total_pence: 1250,
          tip_pence: 50,
          net_of_tip_pence: 1200,
          currency: 'GBP',
          voucher_id: null,
          promo_code: null,
          is_first: true,
          leg_ids: [],
        },
        about(sequence),
      ),
    moved: (to: 'accepted' | 'preparing' | 'ready' | 'collected' | 'cancelled', sequence = 1, from: 'collected' | null = null): Envelope =>
      envelopeOf(orderFulfilmentChanged, { ...names, from, to, at: '2026-06-01T12:00:00Z', collection_code: '4821' }, about(sequence)),
    status: (to: 'ready' | 'fulfilled', sequence = 1): Envelope =>
      envelopeOf(orderStatusChanged, { ...names, from: 'placed', to, at: '2026-06-01T12:00:00Z' }, about(sequence)),
    cancelled: (sequence = 1, was_paid = true): Envelope => envelopeOf(orderCancelled, { ...ended, was_paid }, about(sequence)),
    refunded: (sequence = 1): Envelope =>
      envelopeOf(orderRefunded, { ...refund, paid_pence: 1250, full: false, voucher_id: null, currency: 'GBP' }, about(sequence)),
    refundFailed: (sequence = 1, was_accepted = true): Envelope =>
      envelopeOf(
        orderRefundFailed,
        { ...refund, was_full: false, was_accepted, currency: 'GBP', reason: 'expired_or_canceled_card' },
        about(sequence),
      ),
    disputed: (state: 'opened' | 'won' | 'lost', sequence = 1): Envelope =>
      envelopeOf(
        paymentDisputed,
        {
          ...names,
          dispute_id: `dp_${orderId}`,
          state,
          amount_pence: 1250,
          currency: 'GBP',
          reason: 'product_not_received',
          evidence_due_by: '2026-06-10T21:59:59Z',
        },
        about(sequence),
      ),
    late: (new_eta = '2026-06-01T13:30:00Z', sequence = 1, note: string | null = null): Envelope =>
      envelopeOf(orderRunningLate, { ...names, new_eta, note }, about(sequence)),
    slotMoved: (sequence = 1): Envelope =>
      envelopeOf(
        orderSlotMoved,
        { ...names, from_slot_id: randomUUID(), to_slot_id: randomUUID(), requested_collection_at: '2026-06-01T12:45:00Z' },
        about(sequence),
      ),
  };
}
