import { randomUUID } from 'node:crypto';
import {
  type awardOrder,
  type DataInputOf,
  dataSchemaOf,
  directoryCustomer,
  directoryProgramme,
  directoryStaff,
  directoryStore,
  type Envelope,
  type EventContract,
  orderExpired,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  paymentDisputed,
  queueClaimed,
  queueCompleted,
  queueJoined,
  queueReopened,
  type RpcCallInput,
} from '@corner/contracts';

interface Subject {
  readonly aggregateId: string;
  readonly sequence?: number;
  readonly storeId?: string;
  readonly customerId?: string;
}

export function envelopeOf<E extends EventContract>(event: E, data: DataInputOf<E>, about: Subject): Envelope {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: `/${event.producers[0] ?? 'directory'}`,
    type: event.type,
    dataschema: dataSchemaOf(event),
    subject: about.aggregateId,
    time: '2026-05-01T11:00:00.000000Z',
    datacontenttype: 'application/json',
    ...(about.storeId ? { storeid: about.storeId } : {}),
    ...(about.customerId ? { customerid: about.customerId } : {}),
    sequence: about.sequence ?? 1,
    data: event.data.parse(data),
  };
}

export const storeOf = (id: string, more: Partial<DataInputOf<typeof directoryStore>> = {}): Envelope =>
  envelopeOf(directoryStore, { id, version: 1, code: 'S1', name: 'Corner', ...more }, { aggregateId: id, storeId: id });

export const programmeOf = (storeId: string, more: Partial<DataInputOf<typeof directoryProgramme>> = {}): Envelope =>
  envelopeOf(
    directoryProgramme,
    { store_id: storeId, version: 1, goal: 3, reward_title: 'A coffee', reward_unlock_message: 'Enjoy', ...more },
    { aggregateId: storeId, sequence: more.version ?? 1, storeId },
  );

export const customerOf = (id: string, more: Partial<DataInputOf<typeof directoryCustomer>> = {}): Envelope =>
  envelopeOf(directoryCustomer, { id, version: 1, ...more }, { aggregateId: id, customerId: id });

export const staffOf = (id: string, more: Partial<DataInputOf<typeof directoryStaff>> = {}): Envelope =>
  envelopeOf(directoryStaff, { id, version: 1, name: 'Cy', stores: [], ...more }, { aggregateId: id, sequence: more.version ?? 1 });

export type Paid = RpcCallInput<typeof awardOrder>;

export const paidOrder = (storeId: string, customerId: string, more: Partial<Paid> = {}): Paid => ({
  order_id: randomUUID(),
  store_id: storeId,
  customer_id: customerId,
  paid_at: '2026-05-01T10:59:58.000001Z',
  total_pence: 1_000,
  net_of_tip_pence: 1_000,
  currency: 'GBP',
  voucher_id: null,
  is_first: false,
  ...more,
});

const ofOrder = ({ order_id, store_id, customer_id }: Paid, sequence: number) => ({
  about: { aggregateId: order_id, sequence, storeId: store_id, customerId: customer_id },
  order: { order_id, order_number: 'A-1', store_id, customer_id },
});

export function paidEvent(paid: Paid, sequence = 2): Envelope {
  const { order, about } = ofOrder(paid, sequence);
  return envelopeOf(orderPaid, { ...paid, ...order, tip_pence: 0, promo_code: null, leg_ids: [] }, about);
}

/** Returns the event of a refund that brings the order's refunds to `cumulative` pence. */
export function refundEvent(paid: Paid, sequence: number, cumulative = paid.total_pence): Envelope {
  const { order, about } = ofOrder(paid, sequence);
  const sums = {
    amount_pence: 1,
    cumulative_pence: cumulative,
    paid_pence: paid.total_pence,
    full: cumulative === paid.total_pence,
    currency: paid.currency,
  };
  return envelopeOf(orderRefunded, { ...order, refund_id: randomUUID(), ...sums, voucher_id: paid.voucher_id }, about);
}

/** Returns the event of a refund that failed, without which the order's refunds are `cumulative` pence. */
export function refundFailedEvent(paid: Paid, sequence: number, wasFull = true, cumulative = 0): Envelope {
  const { order, about } = ofOrder(paid, sequence);
  const sums = {
    amount_pence: paid.total_pence,
    cumulative_pence: cumulative,
    was_full: wasFull,
    was_accepted: true,
    currency: paid.currency,
    reason: null,
  };
  return envelopeOf(orderRefundFailed, { ...order, refund_id: randomUUID(), ...sums }, about);
}

/** Returns the event of a dispute over the whole payment; `more` names another dispute or a part. */
export function disputedEvent(
  paid: Paid,
  sequence: number,
  state: 'opened' | 'won' | 'lost' = 'opened',
  more: Partial<DataInputOf<typeof paymentDisputed>> = {},
): Envelope {
  const { order, about } = ofOrder(paid, sequence);
  const dispute = { dispute_id: 'du_1', amount_pence: paid.total_pence, currency: paid.currency, reason: null, evidence_due_by: null };
  return envelopeOf(paymentDisputed, { ...order, state, ...dispute, ...more }, about);
}

const queueEvents = { joined: queueJoined, claimed: queueClaimed, completed: queueCompleted };

export const queueEvent = (change: keyof typeof queueEvents, storeId: string, customerId: string | null, at: string): Envelope => {
  const entry_ref = randomUUID();
  return envelopeOf(
    queueEvents[change],
    { entry_ref, store_id: storeId, customer_id: customerId, position: null, hold_until: null, at },
    { aggregateId: entry_ref, storeId },
  );
};

export interface VisitedPlace {
  readonly ref: string;
  readonly storeId: string;
  readonly customerId: string | null;
}

export const visitEvent = (change: 'completed' | 'reopened', { ref, storeId, customerId }: VisitedPlace, sequence: number): Envelope =>
  envelopeOf(
    change === 'completed' ? queueCompleted : queueReopened,
    {
      entry_ref: ref,
      store_id: storeId,
      customer_id: customerId,
      position: null,
      hold_until: null,
      by_id: 'some-staff',
      at: '2026-05-01T10:59:00.000000Z',
    },
    { aggregateId: ref, sequence, storeId },
  );

export function expiredEvent(paid: Paid, sequence = 2): Envelope {
  const { order, about } = ofOrder(paid, sequence);
  return envelopeOf(orderExpired, { ...order, voucher_id: paid.voucher_id, was_paid: false, reason: null }, about);
}
