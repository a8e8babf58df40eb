import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { type CardKey, visitedAt } from './cards.ts';

/** A voucher as its events describe it. */
export const Voucher = z.object({ id: z.string(), code: z.string(), reward_title: z.string().nullable() });
export type Voucher = z.output<typeof Voucher>;

/** A voucher with its last moment, ISO 8601. */
export interface ExpiringVoucher extends Voucher {
  readonly expires_at: string;
}
const described = sql.fragment`id, code, reward_title`;

const none = z.object({});

/**
 * Whether the payment behind one of `voucher`'s stamps is disputed. Not `exists`, which the planner may turn into a join with every stamp.
 */
const disputed = sql.fragment`(
  select count(*) > 0 from stamp s join order_ledger l on l.order_id = s.order_id where s.voucher_id = voucher.id and l.disputed)`;

/** Mints a voucher from a locked card's oldest unused stamps. It lasts to the end of its last day in the store's time zone. */
export async function insertVoucher(
  tx: Transaction,
  { storeId, customerId, goal }: CardKey & { readonly goal: number },
  { id, code }: { readonly id: string; readonly code: string },
): Promise<void> {
  const now = tx.now.toISOString();
  const endOfLastDay = sql.fragment`
    (date_trunc('day', ${now}::timestamptz at time zone s.time_zone) + make_interval(days => p.voucher_days + 1) - interval '1 second') at time zone s.time_zone`;
  await tx.query(sql.prepared('mint-voucher', none)`
    with oldest as (
      select id, created_at from stamp
      where store_id = ${storeId} and customer_id = ${customerId} and status = 'approved' and voucher_id is null and not paid_debt
      order by created_at, id limit ${goal}
    ),
    minted as (
      insert into voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, minted_at, completing_stamp_id, expires_at,
        expiry_notice_at)
      select ${id}, p.store_id, ${customerId}, ${code}, p.reward_title, p.voucher_type, p.reward, 'active', ${now},
        (select o.id from oldest o order by o.created_at desc, o.id desc limit 1), ${endOfLastDay},
        case when p.voucher_expiring_days between 1 and p.voucher_days - 1
          then ${endOfLastDay} - make_interval(days => p.voucher_expiring_days) end
      from programme p join store s on s.id = p.store_id where p.store_id = ${storeId}
      returning id
    )
    update stamp set voucher_id = (select id from minted) where id = any(array(select id from oldest))`);
}

/** A voucher, the store it belongs to, and the customer who wants to use it. */
export interface VoucherKey extends CardKey {
  readonly voucherId: string;
}

const ofCustomer = ({ voucherId, storeId, customerId }: VoucherKey): FragmentSqlToken =>
  sql.fragment`id = ${voucherId} and store_id = ${storeId} and customer_id = ${customerId}`;

/** Redeems an active voucher at the counter, which is a visit. Null when it cannot be used: {@link readVoucherState} says why. */
export const redeemActive = async (tx: Transaction, voucher: VoucherKey): Promise<Voucher | null> =>
  await tx.maybeOne(sql.prepared('redeem-voucher', Voucher)`
    with redeemed as (
      update voucher set status = 'redeemed', redeemed_at = ${tx.now.toISOString()}
      where ${ofCustomer(voucher)} and status = 'active' and expires_at > ${tx.now.toISOString()} and not ${disputed}
      returning ${described}
    ),
    visited as (${visitedAt(voucher, tx.now.toISOString(), 'staff')} and exists (select from redeemed))
    select ${described} from redeemed`);

/** Redeems the voucher of a paid order: the one it reserved, or one whose reservation lapsed and that no other order took. */
export const redeemForOrder = async (tx: Transaction, voucher: VoucherKey, orderId: string): Promise<Voucher | null> =>
  await tx.maybeOne(sql.prepared('redeem-reserved-voucher', Voucher)`
    update voucher set status = 'redeemed', redeemed_by_order = ${orderId}, redeemed_at = ${tx.now.toISOString()}, reserved_until = null
    where ${ofCustomer(voucher)} and (status = 'reserved' and reserved_by_order = ${orderId} or status in ('active', 'expired'))
    returning ${described}`);

const Reward = z.object({ kind: z.enum(['amount', 'percent', 'item']), value: z.number(), item_id: z.string().nullable() });
const Reserved = z.object({ reward: Reward, reward_title: z.string().nullable(), voucher_type: z.string().nullable() });

export interface Reservation {
  readonly orderId: string;
  readonly until: string;
  /** When the order asked: a call that was asked before another that was processed changes nothing. */
  readonly askedAt: string;
  readonly now: Date;
}

/** Reserves an active voucher for an order, or extends the order's own reservation. Null when it cannot be used, or the order has asked for something later. */
export const reserveActive = async (
  queries: Queries,
  voucher: VoucherKey,
  { orderId, until, askedAt, now }: Reservation,
): Promise<z.output<typeof Reserved> | null> =>
  await queries.maybeOne(sql.prepared('reserve-voucher', Reserved)`
    update voucher set status = 'reserved', reserved_by_order = ${orderId}, reserved_until = ${until}, reservation_asked_at = ${askedAt}
    where ${ofCustomer(voucher)} and (reservation_asked_at is null or reservation_asked_at <= ${askedAt})
      and (status = 'active' and expires_at > ${now.toISOString()} and not ${disputed} or status = 'reserved' and reserved_by_order = ${orderId})
    returning reward, reward_title, voucher_type`);

/** Frees a voucher that this order has reserved, unless the order asked for it later than `askedAt`. Returns whether it did. */
export async function releaseReserved(
  queries: Pick<Queries, 'maybeOne'>,
  {
    storeId,
    voucherId,
    orderId,
    askedAt,
  }: Pick<Reservation, 'orderId' | 'askedAt'> & { readonly storeId: string; readonly voucherId: string },
): Promise<boolean> {
  const released = await queries.maybeOne(sql.prepared('release-voucher', z.object({ id: z.string() }))`
    update voucher set status = 'active', reserved_by_order = null, reserved_until = null, reservation_asked_at = ${askedAt}
    where id = ${voucherId} and store_id = ${storeId} and status = 'reserved' and reserved_by_order = ${orderId}
      and (reservation_asked_at is null or reservation_asked_at <= ${askedAt})
    returning id`);
  return released !== null;
}

const State = z.object({
  status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']),
  expiresAtMs: z.number(),
  disputed: z.boolean(),
});

/** Reads what decides whether a voucher can be used. Null when it does not exist or belongs to another customer or store. */
export const readVoucherState = async (queries: Pick<Queries, 'maybeOne'>, voucher: VoucherKey): Promise<z.output<typeof State> | null> =>
  await queries.maybeOne(sql.prepared('voucher-state', State)`
    select status, (extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs", ${disputed} as disputed from voucher where ${ofCustomer(voucher)}`);

/** Voids vouchers and makes the stamps behind them unused. Returns the vouchers. The card is locked. */
export const voidVouchers = async (tx: Transaction, { storeId }: CardKey, ids: readonly string[]): Promise<readonly Voucher[]> =>
  await tx.any(sql.prepared('void-vouchers', Voucher)`
    with freed as (
      update stamp set voucher_id = null where voucher_id = any(${sql.array([...ids], 'uuid')}) and store_id = ${storeId}
    )
    update voucher set status = 'voided' where id = any(${sql.array([...ids], 'uuid')}) and store_id = ${storeId}
    returning ${described}`);

const Details = z.object({ code: z.string(), expires_at: z.string(), last_day: z.string() });

/** Reads a voucher's code, its last moment, and its last day by the store's clock. Null when it belongs to another customer or store. */
export const readVoucherDetails = async (queries: Queries, voucher: VoucherKey): Promise<z.output<typeof Details> | null> =>
  await queries.maybeOne(sql.prepared('voucher-details', Details)`
    select v.code, ${instantOf(sql.fragment`v.expires_at`)} as expires_at, to_char(v.expires_at at time zone s.time_zone, 'YYYY-MM-DD') as last_day
    from voucher v join store s on s.id = v.store_id
    where v.id = ${voucher.voucherId} and v.store_id = ${voucher.storeId} and v.customer_id = ${voucher.customerId}`);

const EarnedVoucher = z.object({
  voucher_id: z.string(),
  voucher_code: z.string(),
  reward_title: z.string().nullable(),
  expires_at: z.string(),
});

/** Reads vouchers of a store with their codes, in the order they were minted. */
export const readEarnedVouchers = async (
  queries: Queries,
  storeId: string,
  ids: readonly string[],
): Promise<readonly z.output<typeof EarnedVoucher>[]> =>
  await queries.any(sql.prepared('vouchers-earned', EarnedVoucher)`
    select id as voucher_id, code as voucher_code, reward_title, ${instantOf(sql.fragment`expires_at`)} as expires_at
    from voucher where store_id = ${storeId} and id = any(${sql.array([...ids], 'uuid')}) order by id`);
