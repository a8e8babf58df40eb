import type { Context } from '../context.ts';
import { lapseReservations, vouchersToAnnounce } from '../tables/voucher-expiry.ts';
import { announceExpiry, expireVoucher } from '../transactions/voucher-expiry.ts';

/** Frees reservations whose time is past, and expires vouchers whose last day is past. */
export async function expireVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await lapseReservations(database, now())) await database.transaction((tx) => expireVoucher(tx, voucher));
}

/** Publishes voucher.expiring for each active voucher whose notice is due. */
export async function announceExpiringVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await vouchersToAnnounce(database, now())) await database.transaction((tx) => announceExpiry(tx, voucher));
}
