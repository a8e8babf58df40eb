import type { Transaction } from '@corner/chassis';
import { voucherExpired } from '@corner/contracts';
import { markExpired } from '../tables/voucher-expiry.ts';
import type { VoucherKey } from '../tables/vouchers.ts';
import { lockCard } from './lock-card.ts';

/** Expires a voucher past its last day, unless it was used meanwhile. */
export async function expireVoucher(tx: Transaction, key: VoucherKey): Promise<void> {
  const card = await lockCard(tx, key);
  const voucher = await markExpired(tx, key);
  if (card && voucher) await card.publishVoucher(voucherExpired, voucher, null);
}
