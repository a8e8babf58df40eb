import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import type { ChangedBy } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { loggedSql } from '../card/tables/log.ts';
import { type CustomerAt, programmeOfSql } from '../card/tables/programmes.ts';
import { type ExpiringVoucher, Voucher, voucherColumns } from '../card/tables/vouchers.ts';

export interface VoucherKey extends CustomerAt {
  readonly voucherId: string;
}

const ofProgrammeSql = (storeId: string): FragmentSqlToken => sql.fragment`store_id = ${programmeOfSql(sql.fragment`${storeId}::uuid`)}`;

/**
 * Selects whether a voucher can be used at a store's counter: also those of its own programme, which rests while the store is in another
 * one.
 */
const usableAtSql = (storeId: string): FragmentSqlToken => sql.fragment`(store_id = ${storeId} or ${ofProgrammeSql(storeId)})`;

const ofCustomerSql = ({ voucherId, storeId, customerId }: VoucherKey): FragmentSqlToken =>
  sql.fragment`id = ${voucherId} and ${usableAtSql(storeId)} and customer_id = ${customerId}`;

/**
 * True if the payment behind one of `voucher`'s stamps is disputed. Not `exists`, which the planner may turn into a join with every stamp.
 */
const disputed = sql.fragment`(
  select count(*) > 0 from stamp s join order_ledger l on l.order_id = s.order_id where s.voucher_id = voucher.id and l.disputed)`;

/** Redeems an active voucher at the counter, which is a visit. Null when it cannot be used: {@link readVoucherState} returns why. */
export const redeemActive = async (tx: Transaction, voucher: VoucherKey, by: ChangedBy): Promise<Voucher | null> =>
  await tx.maybeOne(sql.prepared('redeem-voucher', Voucher)`
    with redeemed as (
      update voucher set status = 'redeemed', redeemed_at = ${tx.now.toISOString()}, redeemed_by_id = ${by.id}, redeemed_by_name = ${by.name}
      where ${ofCustomerSql(voucher)} and status = 'active' and expires_at > ${tx.now.toISOString()} and not ${disputed}
      returning ${voucherColumns}
    ),
    logged as (${loggedSql(tx, { ...voucher, kind: 'redeemed', by }, sql.fragment`redeemed`)}),
    visited as (
      update card set last_visit_at = greatest(last_visit_at, ${tx.now.toISOString()}::timestamptz)
      where store_id = ${voucher.storeId} and customer_id = ${voucher.customerId} and exists (select from redeemed)
    )
    select ${voucherColumns} from redeemed`);

const Owned = z.object({ voucherId: z.string(), customerId: z.string(), reward_title: z.string().nullable(), expires_at: z.string() });
export type FoundVoucher = VoucherKey & z.output<typeof Owned>;

export const findVoucherByCode = async (queries: Queries, storeId: string, code: string): Promise<FoundVoucher | null> => {
  const found = await queries.maybeOne(sql.prepared('voucher-by-code', Owned)`
    select id as "voucherId", customer_id as "customerId", reward_title, ${instantOf(sql.fragment`expires_at`)} as expires_at from voucher where code = ${code} and ${usableAtSql(storeId)}
    order by voucher.store_id = ${storeId} limit 1`);
  return found && { ...found, storeId };
};

const Reward = z.object({ kind: z.enum(['amount', 'percent', 'item']), value: z.number(), item_id: z.string().nullable() });

const Reserved = z.object({ reward: Reward, reward_title: z.string().nullable(), voucher_type: z.string().nullable() });

export interface Reservation {
  readonly orderId: string;
  readonly until: string;
  /** When the order called. A call older than one that was processed changes nothing. */
  readonly askedAt: string;
  readonly now: Date;
}

/** Reserves an active voucher for an order, or extends the order's own reservation. Null when it cannot be used, or a later call of the order was processed first. */
export const reserveActive = async (
  queries: Queries,
  voucher: VoucherKey,
  { orderId, until, askedAt, now }: Reservation,
): Promise<z.output<typeof Reserved> | null> =>
  await queries.maybeOne(sql.prepared('reserve-voucher', Reserved)`
    update voucher set status = 'reserved', reserved_by_order = ${orderId}, reserved_until = ${until}, reservation_asked_at = ${askedAt}
    where id = ${voucher.voucherId} and customer_id = ${voucher.customerId} and (${ofProgrammeSql(voucher.storeId)} or reserved_by_order = ${orderId})
      and (reservation_asked_at is null or reservation_asked_at <= ${askedAt})
      and (status = 'active' and expires_at > ${now.toISOString()} and not ${disputed} or status = 'reserved' and reserved_by_order = ${orderId})
    returning reward, reward_title, voucher_type`);

/**
 * Frees a voucher that this order has reserved, whatever programme its store is in now, unless the order called again after `askedAt`.
 * Returns whether it did.
 */
export async function releaseReserved(
  queries: Pick<Queries, 'maybeOne'>,
  { voucherId, orderId, askedAt }: Pick<Reservation, 'orderId' | 'askedAt'> & { readonly voucherId: string },
): Promise<boolean> {
  const released = await queries.maybeOne(sql.prepared('release-voucher', z.object({ id: z.string() }))`
    update voucher set status = 'active', reserved_by_order = null, reserved_until = null, reservation_asked_at = ${askedAt}
    where id = ${voucherId} and coalesce(status, '') = 'reserved' and reserved_by_order = ${orderId}
      and (reservation_asked_at is null or reservation_asked_at <= ${askedAt})
    returning id`);
  return released !== null;
}

const State = z.object({
  status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']),
  expiresAtMs: z.number(),
  disputed: z.boolean(),
});

/**
 * Reads the state that decides whether a voucher can be used, at the counter or by an order. Null when it does not exist, belongs to
 * another customer, or cannot be used there at all.
 */
export const readVoucherState = async (
  queries: Pick<Queries, 'maybeOne'>,
  voucher: VoucherKey,
  by: 'counter' | 'order',
): Promise<z.output<typeof State> | null> =>
  await queries.maybeOne(sql.prepared(`voucher-state-${by}`, State)`
    select status, (extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs", ${disputed} as disputed from voucher
    where ${ofCustomerSql(voucher)} and ${by === 'counter' ? sql.fragment`true` : ofProgrammeSql(voucher.storeId)}`);

const Details = z.object({ code: z.string(), expires_at: z.string(), last_day: z.string() });

/** Reads a voucher's code, its last moment, and its last day by the store's clock. Null when it belongs to another customer or store. */
export const readVoucherDetails = async (queries: Queries, voucher: VoucherKey): Promise<z.output<typeof Details> | null> =>
  await queries.maybeOne(sql.prepared('voucher-details', Details)`
    select v.code, ${instantOf(sql.fragment`v.expires_at`)} as expires_at, to_char(v.expires_at at time zone s.time_zone, 'YYYY-MM-DD') as last_day
    from voucher v join store s on s.id = v.store_id
    where v.id = ${voucher.voucherId} and v.store_id = ${voucher.storeId} and v.customer_id = ${voucher.customerId}`);

const Due = z.object({ voucherId: z.string(), storeId: z.string(), customerId: z.string() });

const dueColumns = sql.fragment`id as "voucherId", store_id as "storeId", customer_id as "customerId"`;

/**
 * Frees expired reservations. Returns vouchers past their last day: those it freed, and up to 200 active ones, the oldest first.
 */
export const lapseReservations = async (queries: Queries, now: Date): Promise<readonly VoucherKey[]> =>
  await queries.any(sql.prepared('lapse-reservations', Due)`
    with lapsed as (
      update voucher set status = 'active', reserved_by_order = null, reserved_until = null
      where status = 'reserved' and reserved_until < ${now.toISOString()}
      returning id, store_id, customer_id, expires_at
    )
    (select ${dueColumns} from voucher where status = 'active' and expires_at < ${now.toISOString()} order by expires_at limit 200)
    union all
    select ${dueColumns} from lapsed where expires_at < ${now.toISOString()}`);

/** Expires an active voucher. Null when it is no longer active. The card is locked. */
export const markExpired = async (tx: Transaction, { storeId, voucherId }: VoucherKey): Promise<Voucher | null> =>
  await tx.maybeOne(sql.prepared('expire-voucher', Voucher)`
    update voucher set status = 'expired' where id = ${voucherId} and store_id = ${storeId} and coalesce(status, '') = 'active'
    returning ${voucherColumns}`);

export const vouchersToAnnounce = async (queries: Queries, now: Date): Promise<readonly VoucherKey[]> =>
  await queries.any(sql.prepared('vouchers-to-announce', Due)`
    select ${dueColumns} from voucher
    where status = 'active' and expiry_notice_at <= ${now.toISOString()} order by expiry_notice_at limit 200`);

const Announced = Voucher.extend({ expires_at: z.string().nullable() });

/** Records that a voucher was announced. Returns it with its end, or null when it is no longer active. The card is locked. */
export const markAnnounced = async (tx: Transaction, { storeId, voucherId }: VoucherKey): Promise<ExpiringVoucher | null> => {
  const announced = await tx.maybeOne(sql.prepared('announce-voucher', Announced)`
    update voucher set expiry_notice_at = null
    where id = ${voucherId} and store_id = ${storeId} and coalesce(status, '') = 'active' and expiry_notice_at is not null
    returning ${voucherColumns}, case when expires_at > ${tx.now.toISOString()} then ${instantOf(sql.fragment`expires_at`)} end as expires_at`);
  return announced && announced.expires_at !== null ? { ...announced, expires_at: announced.expires_at } : null;
};
