import type { Context } from './context.ts';
import { graceSeconds } from './rules/multi-stamp.ts';
import { deleteRequests, expireRequests } from './tables/multi-stamp-requests.ts';
import { deleteCodes } from './tables/stamp-codes.ts';
import { lapseReservations, vouchersToAnnounce } from './tables/voucher-expiry.ts';
import { announceExpiry, expireVoucher } from './transactions/voucher-expiry.ts';

/** Frees reservations whose time is past, and expires vouchers whose last day is past. */
export async function expireVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await lapseReservations(database, now())) await database.transaction((tx) => expireVoucher(tx, voucher));
}

/** Publishes voucher.expiring for each active voucher whose notice is due. */
export async function announceExpiringVouchers({ database, now }: Context): Promise<void> {
  for (const voucher of await vouchersToAnnounce(database, now())) await database.transaction((tx) => announceExpiry(tx, voucher));
}

/** For how many days a repeated redemption still returns the stamp of its code, and a cancellation the status of its request. */
const keptDays = 7;

/** Expires requests that staff did not confirm in time. */
export async function expireMultiStamps({ database, now }: Context): Promise<void> {
  await expireRequests(database, new Date(now().getTime() - graceSeconds * 1_000));
}

/** Deletes requests that were cancelled or expired. Confirmed ones stay: they name the member of staff, and count toward the month. */
export async function dropOldRequests({ database, now }: Context): Promise<void> {
  while ((await deleteRequests(database, keptSince(now()))) === 1_000);
}

/** Deletes codes that expired more than {@link keptDays} ago, with what is stored of their devices. Their taps stay used. */
export async function dropOldCodes({ database, now }: Context): Promise<void> {
  while ((await deleteCodes(database, keptSince(now()))) === 1_000);
}

const keptSince = (now: Date): Date => new Date(now.getTime() - keptDays * 86_400_000);
