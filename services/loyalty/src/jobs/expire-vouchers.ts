import type { Context } from '../context.ts';
import { lapseReservations, vouchersToExpire } from '../tables/voucher-expiry.ts';
import { expireVoucher } from '../transactions/expire-voucher.ts';

/** Frees reservations whose time is past, and expires vouchers whose last day is past. */
export async function expireVouchers({ database, now }: Context): Promise<void> {
  const at = now();
  await lapseReservations(database, at);
  for (const voucher of await vouchersToExpire(database, at)) await database.transaction((tx) => expireVoucher(tx, voucher));
}
