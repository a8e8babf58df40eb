import { outboxColumns, outboxValues, type Transaction } from '@corner/chassis';
import {
  customerSeen,
  type DataInputOf,
  type EventContract,
  multiStampConfirmed,
  type StampData,
  type VoucherData,
  voucherExpiring,
} from '@corner/contracts';
import { type CardKey, insertCardEvent, lockCardRow, type Programme } from '../tables/cards.ts';
import type { ExpiringVoucher } from '../tables/voucher-expiry.ts';
import type { Voucher } from '../tables/vouchers.ts';

/**
 * Locks a card, creating it first when there is none, and publishes customer.seen for a new one. With `quota` it locks the store's quota
 * before the card. Returns null for a store without a programme, or one the directory has not published yet: nothing is earned there.
 */
export async function lockCard(
  tx: Transaction,
  { storeId, customerId }: CardKey,
  { quota = false }: { readonly quota?: boolean } = {},
): Promise<LockedCard | null> {
  const key = { storeId, customerId };
  const locked = await lockCardRow(tx, key, { quota });
  let { version } = locked;
  const publish = async <E extends EventContract>(event: E, data: DataInputOf<E>): Promise<void> => {
    version += 1;
    const values = outboxValues(event, { aggregateId: `${storeId}:${customerId}`, sequence: version, ...key, data });
    await insertCardEvent(tx, { ...key, version }, { columns: outboxColumns, values });
  };
  const ids = { store_id: storeId, customer_id: customerId };
  if (version === 0) await publish(customerSeen, ids);
  if (!locked.programme) return null;
  const { goal } = locked.programme;
  return {
    ...locked.programme,
    ...key,
    publishStamp: (event, { stampId, source, orderId = null, stampCount }) =>
      publish(event, { ...ids, stamp_id: stampId, source, order_id: orderId, stamp_count: stampCount, goal }),
    publishVoucher: (event, { id, code, reward_title }, orderId) =>
      publish(event, { ...ids, voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: orderId }),
    publishVoucherExpiring: ({ id, code, reward_title, expires_at }) =>
      publish(voucherExpiring, { ...ids, voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: null, expires_at }),
    publishMultiStamp: (data) => publish(multiStampConfirmed, { ...ids, ...data, goal }),
  };
}

/** A card locked for a change, with its store's programme. Its events are numbered per card, without gaps. */
export interface LockedCard extends Programme, CardKey {
  publishStamp(event: EventContract<typeof StampData>, stamp: StampChange): Promise<void>;
  /** `orderId`: the order that caused the change, or null. */
  publishVoucher(event: EventContract<typeof VoucherData>, voucher: Voucher, orderId: string | null): Promise<void>;
  publishVoucherExpiring(voucher: ExpiringVoucher): Promise<void>;
  publishMultiStamp(data: Pick<DataInputOf<typeof multiStampConfirmed>, 'request_id' | 'stamps' | 'stamp_count'>): Promise<void>;
}

/** A change of a stamp, and the card's count after it. */
export interface StampChange {
  readonly stampId: string;
  readonly source: string;
  /** The order that earned it; absent for others. */
  readonly orderId?: string;
  readonly stampCount: number;
}
