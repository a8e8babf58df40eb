import type { Context } from '../context.ts';
import { vouchersToAnnounce } from '../tables/voucher-expiry.ts';
import { announceExpiry } from '../transactions/announce-expiry.ts';

/** Publishes voucher.expiring for each active voucher whose notice is due. */
export async function announceExpiringVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await vouchersToAnnounce(database, now())) await database.transaction((tx) => announceExpiry(tx, voucher));
}
