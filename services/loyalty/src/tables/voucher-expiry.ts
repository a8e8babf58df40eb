import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ExpiringVoucher, Voucher, VoucherKey } from './vouchers.ts';

const Due = z.object({ voucherId: z.string(), storeId: z.string(), customerId: z.string() });
const keys = sql.fragment`id as "voucherId", store_id as "storeId", customer_id as "customerId"`;

/**
 * Frees the reservations whose time is past, and returns vouchers past their last day: those it freed, and up to 200 active ones, the
 * oldest first.
 */
export const lapseReservations = async (queries: Queries, now: Date): Promise<readonly VoucherKey[]> =>
  await queries.any(sql.prepared('lapse-reservations', Due)`
    with lapsed as (
      update voucher set status = 'active', reserved_by_order = null, reserved_until = null
      where status = 'reserved' and reserved_until < ${now.toISOString()}
      returning id, store_id, customer_id, expires_at
    )
    (select ${keys} from voucher where status = 'active' and expires_at < ${now.toISOString()} order by expires_at limit 200)
    union all
    select ${keys} from lapsed where expires_at < ${now.toISOString()}`);

const Expired = z.object({ id: z.string(), code: z.string(), reward_title: z.string().nullable() });

/** Expires an active voucher. Null when it is no longer active. The card is locked. */
export const markExpired = async (tx: Transaction, { storeId, voucherId }: VoucherKey): Promise<Voucher | null> =>
  await tx.maybeOne(sql.prepared('expire-voucher', Expired)`
    update voucher set status = 'expired' where id = ${voucherId} and store_id = ${storeId} and status = 'active'
    returning id, code, reward_title`);

/** Reads up to 200 active vouchers that are to be announced as expiring, those due first before the others. */
export const vouchersToAnnounce = async (queries: Queries, now: Date): Promise<readonly VoucherKey[]> =>
  await queries.any(sql.prepared('vouchers-to-announce', Due)`
    select ${keys} from voucher
    where status = 'active' and expiry_notice_at <= ${now.toISOString()} order by expiry_notice_at limit 200`);

const Announced = Expired.extend({ expires_at: z.string().nullable() });

/** Records that a voucher was announced. Returns it with its end, or null when it is no longer active. The card is locked. */
export const markAnnounced = async (tx: Transaction, { storeId, voucherId }: VoucherKey): Promise<ExpiringVoucher | null> => {
  const announced = await tx.maybeOne(sql.prepared('announce-voucher', Announced)`
    update voucher set expiry_notice_at = null
    where id = ${voucherId} and store_id = ${storeId} and status = 'active' and expiry_notice_at is not null
    returning id, code, reward_title, case when expires_at > ${tx.now.toISOString()} then ${instantOf(sql.fragment`expires_at`)} end as expires_at`);
  return announced && announced.expires_at !== null ? { ...announced, expires_at: announced.expires_at } : null;
};
