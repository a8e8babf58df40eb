import type { Transaction } from '@corner/chassis';
import { markAnnounced } from '../tables/voucher-expiry.ts';
import type { VoucherKey } from '../tables/vouchers.ts';
import { lockCard } from './lock-card.ts';

/** Publishes that a voucher expires soon, once. One that is reserved, used or past its last day meanwhile is not announced. */
export async function announceExpiry(tx: Transaction, key: VoucherKey): Promise<void> {
  const card = await lockCard(tx, key);
  const voucher = await markAnnounced(tx, key);
  if (card && voucher) await card.publishVoucherExpiring(voucher);
}
