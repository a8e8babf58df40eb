import { type OutboxEntry, outboxEntry } from '@corner/chassis';
import {
  customerSeen,
  type DataInputOf,
  type EventContract,
  multiStampConfirmed,
  type StampData,
  type VoucherData,
  voucherExpiring,
} from '@corner/contracts';
import type { CardKey } from '../tables/cards.ts';
import type { ExpiringVoucher, Voucher } from '../tables/vouchers.ts';

/**
 * Collects the events of a change of a card, to be published with the change. They are numbered per card, without gaps, from the card's
 * version on. A card without a version is new: its first event is customer.seen.
 */
export function cardEvents({ storeId, customerId }: CardKey, version: number): CardEvents {
  const entries: OutboxEntry[] = [];
  const ids = { store_id: storeId, customer_id: customerId };
  const add = <E extends EventContract>(event: E, data: DataInputOf<E>): void => {
    const sequence = version + entries.length + 1;
    entries.push(outboxEntry(event, { aggregateId: `${storeId}:${customerId}`, sequence, storeId, customerId, data }));
  };
  if (version === 0) add(customerSeen, ids);
  return {
    entries,
    addStamp: (event, { stampId, source, orderId = null, stampCount, goal }) =>
      add(event, { ...ids, stamp_id: stampId, source, order_id: orderId, stamp_count: stampCount, goal }),
    addVoucher: (event, { id, code, reward_title }, orderId) =>
      add(event, { ...ids, voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: orderId }),
    addVoucherExpiring: ({ id, code, reward_title, expires_at }) =>
      add(voucherExpiring, { ...ids, voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: null, expires_at }),
    addMultiStamp: (data) => add(multiStampConfirmed, { ...ids, ...data }),
  };
}

export interface CardEvents {
  /** The events so far, in their order. */
  readonly entries: readonly OutboxEntry[];
  addStamp(event: EventContract<typeof StampData>, stamp: StampChange): void;
  /** `orderId`: the order that caused the change, or null. */
  addVoucher(event: EventContract<typeof VoucherData>, voucher: Voucher, orderId: string | null): void;
  addVoucherExpiring(voucher: ExpiringVoucher): void;
  addMultiStamp(data: Pick<DataInputOf<typeof multiStampConfirmed>, 'request_id' | 'stamps' | 'stamp_count' | 'goal'>): void;
}

/** A change of a stamp, and the card's count and goal after it. */
export interface StampChange {
  readonly stampId: string;
  readonly source: string;
  /** The order that earned it; absent for others. */
  readonly orderId?: string;
  readonly stampCount: number;
  readonly goal: number;
}
