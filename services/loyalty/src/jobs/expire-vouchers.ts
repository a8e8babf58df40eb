import type { Context } from '../context.ts';
import { lapseReservations } from '../tables/voucher-expiry.ts';
import { expireVoucher } from '../transactions/expire-voucher.ts';

/** Frees reservations whose time is past, and expires vouchers whose last day is past. */
export async function expireVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await lapseReservations(database, now())) await database.transaction((tx) => expireVoucher(tx, voucher));
}
