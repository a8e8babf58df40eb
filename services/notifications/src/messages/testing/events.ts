import { randomUUID } from 'node:crypto';
import {
  type BookingData,
  customerSeen,
  type DataInputOf,
  type DataOf,
  directoryCustomer,
  directoryStore,
  type Envelope,
  type EventContract,
  type MembershipData,
  multiStampConfirmed,
  orderCancelled,
  orderFulfilmentChanged,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  orderRunningLate,
  orderSlotMoved,
  orderStatusChanged,
  paymentDisputed,
  type QueueEntryData,
  type queueLeft,
  type StampData,
  type VoucherData,
  voucherExpiring,
  type WaitlistData,
} from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import type { Guest } from './messaging.ts';

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
    moved: (
      to: 'accepted' | 'preparing' | 'ready' | 'collected' | 'cancelled',
      sequence = 1,
      from: 'preparing' | 'ready' | 'collected' | null = null,
    ): Envelope =>
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

export function cardEvents({ customerId, storeId }: Guest) {
  const about = (sequence: number) => ({ aggregateId: `${storeId}:${customerId}`, sequence, storeId, customerId });
  const ids = { store_id: storeId, customer_id: customerId };
  return {
    stamp: (event: EventContract<typeof StampData>, sequence = 1, stamp_count = 4, stamp_id: string = randomUUID()): Envelope =>
      envelopeOf(event, { ...ids, stamp_id, source: 'code', order_id: null, stamp_count, goal: 10 }, about(sequence)),
    voucher: (
      event: EventContract<typeof VoucherData>,
      sequence = 1,
      voucher_id: string = randomUUID(),
      reward_title = 'A free coffee',
    ): Envelope => envelopeOf(event, { ...ids, voucher_id, reward_title, code_tail: 'K7Q2', order_id: null }, about(sequence)),
    expiring: (expires_at: string, sequence = 1, voucher_id: string = randomUUID()): Envelope =>
      envelopeOf(
        voucherExpiring,
        { ...ids, voucher_id, reward_title: 'A free coffee', code_tail: 'K7Q2', order_id: null, expires_at },
        about(sequence),
      ),
    membership: (event: EventContract<typeof MembershipData>, sequence = 1): Envelope =>
      envelopeOf(
        event,
        { ...ids, plan_name: 'Regulars', current_period_end: '2026-07-01T00:00:00Z', at: '2026-06-01T12:00:00Z' },
        { ...about(sequence), aggregateId: `membership:${storeId}:${customerId}` },
      ),
    several: (sequence = 1): Envelope =>
      envelopeOf(multiStampConfirmed, { ...ids, request_id: randomUUID(), stamps: 3, stamp_count: 7, goal: 10 }, about(sequence)),
  };
}

export function queueEvents({ customerId, storeId }: Guest, customer: string | null = customerId, entry_ref: string = randomUUID()) {
  return (
    event: EventContract<typeof QueueEntryData>,
    sequence = 1,
    hold_until: string | null = null,
    left_by: DataOf<typeof queueLeft>['left_by'] = null,
  ): Envelope =>
    envelopeOf(
      event,
      { entry_ref, store_id: storeId, customer_id: customer, position: null, hold_until, left_by, at: '2026-06-01T12:00:00Z' },
      { aggregateId: entry_ref, sequence, storeId, ...(customer ? { customerId: customer } : {}) },
    );
}

/** A cut at four o'clock on Friday in Paris. */
export function bookingEvents({ customerId, storeId }: Guest, customer: string | null = customerId, booking_ref: string = randomUUID()) {
  return (
    event: EventContract<typeof BookingData>,
    more: Partial<DataInputOf<EventContract<typeof BookingData>>> = {},
    sequence = 1,
  ): Envelope =>
    envelopeOf(
      event,
      {
        booking_ref,
        session_id: randomUUID(),
        store_id: storeId,
        customer_id: customer,
        service_name: 'Cut',
        party_size: 1,
        places: 1,
        starts_at: '2026-06-05T14:00:00Z',
        ends_at: '2026-06-05T14:25:00Z',
        previous_starts_at: null,
        time_zone: 'Europe/Paris',
        status: 'booked',
        cause: 'owner',
        by_id: null,
        no_shows: null,
        at: '2026-06-01T12:00:00Z',
        ...more,
      },
      { aggregateId: booking_ref, sequence, storeId, ...(customer ? { customerId: customer } : {}) },
    );
}

/** Number two in the line of a class at four o'clock on Friday in Paris. */
export function waitlistEvent(
  { customerId, storeId }: Guest,
  event: EventContract<typeof WaitlistData>,
  more: Partial<DataInputOf<EventContract<typeof WaitlistData>>> = {},
): Envelope {
  const booking_ref = randomUUID();
  const data = {
    booking_ref,
    session_id: randomUUID(),
    store_id: storeId,
    customer_id: customerId,
    service_name: 'Yoga',
    party_size: 1,
    places: 12,
    place: 2,
    offer_until: null,
    starts_at: '2026-06-05T14:00:00Z',
    ends_at: '2026-06-05T15:00:00Z',
    previous_starts_at: null,
    time_zone: 'Europe/Paris',
    cause: 'owner' as const,
    by_id: null,
    at: '2026-06-01T12:00:00Z',
    ...more,
  };
  return envelopeOf(event, data, { aggregateId: booking_ref, sequence: 1, storeId, customerId });
}

export const storeSnapshot = (id: string, version: number): Envelope =>
  envelopeOf(directoryStore, { id, version, code: 'S1', name: `Version ${version}` }, { aggregateId: id, sequence: version, storeId: id });

/** Has as many devices as its version. */
export const customerSnapshot = (id: string, version: number): Envelope =>
  envelopeOf(
    directoryCustomer,
    {
      id,
      version,
      name: `Version ${version}`,
      email: `version.${version}@example.test`,
      push_devices: Array.from({ length: version }, (_, index) => ({ id: `device-${index}`, platform: 'ios' as const })),
    },
    { aggregateId: id, sequence: version, customerId: id },
  );

export const customerSeenEvent = (customerId: string, storeId: string, at: string): Envelope =>
  envelopeOf(customerSeen, { customer_id: customerId, store_id: storeId }, { aggregateId: customerId, storeId, customerId, at });

export function orderPaidEvent(customerId: string, storeId: string, at: string): Envelope {
  const orderId = randomUUID();
  return envelopeOf(
    orderPaid,
    {
      order_id: orderId,
      order_number: 'S1-1001',
      store_id: storeId,
      customer_id: customerId,
      paid_at: at,
      total_pence: 550,
      tip_pence: 50,
      net_of_tip_pence: 500,
      currency: 'GBP',
      voucher_id: null,
      promo_code: null,
      is_first: true,
      leg_ids: [],
    },
    { aggregateId: orderId, storeId, customerId, at },
  );
}
