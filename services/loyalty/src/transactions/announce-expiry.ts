import type { Transaction } from '@corner/chassis';
import { markAnnounced } from '../tables/voucher-expiry.ts';
import type { VoucherKey } from '../tables/vouchers.ts';
import { changeCard } from './change-card.ts';

/** Publishes that a voucher expires soon, once. One that is reserved, used or past its last day meanwhile is not announced. */
export async function announceExpiry(tx: Transaction, key: VoucherKey): Promise<void> {
  await changeCard(tx, key, async (card) => {
    const voucher = await markAnnounced(tx, key);
    if (voucher) card?.events.addVoucherExpiring(voucher);
  });
}
