import type { Transaction } from '@corner/chassis';
import { voucherExpired } from '@corner/contracts';
import { markAnnounced, markExpired } from '../tables/voucher-expiry.ts';
import type { VoucherKey } from '../tables/vouchers.ts';
import { changeCard } from './change-card.ts';

/** Expires a voucher past its last day, unless it was used meanwhile. */
export async function expireVoucher(tx: Transaction, key: VoucherKey): Promise<void> {
  await changeCard(tx, key, async (card) => {
    const voucher = await markExpired(tx, key);
    if (voucher) card?.events.addVoucher(voucherExpired, voucher, null);
  });
}

/** Publishes that a voucher expires soon, once. One that is reserved, used or past its last day meanwhile is not announced. */
export async function announceExpiry(tx: Transaction, key: VoucherKey): Promise<void> {
  await changeCard(tx, key, async (card) => {
    const voucher = await markAnnounced(tx, key);
    if (voucher) card?.events.addVoucherExpiring(voucher);
  });
}
