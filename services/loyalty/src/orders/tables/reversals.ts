import { columns, NoColumns, type Transaction } from '@corner/chassis';
import type { DataOf, paymentDisputed } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from '../../card/tables/programmes.ts';
import { Voucher, voucherColumns } from '../../card/tables/vouchers.ts';

/**
 * An order's refunds, as one event reports them. `paid_pence` includes the tip; absent where the event does not state it. `full`: the whole
 * payment is refunded.
 */
export interface Refunds {
  readonly order_id: string;
  readonly store_id: string;
  readonly customer_id: string;
  readonly cumulative_pence: number;
  readonly paid_pence?: number;
  readonly full: boolean;
}

const Change = z.object({ now: z.boolean(), before: z.boolean() });

/**
 * Changes of an order: `money`, whether it is gone, so that its voucher is given back, and `stamps`, whether they are taken back; `now`,
 * and `before` this event.
 */
const enteredReversal = z.object({ money: Change, stamps: Change });

export type Entered = z.output<typeof enteredReversal>;

/**
 * Returns an {@link Entered} from an upsert of the ledger. A full refund and a lost dispute each return the money; stamps are taken back
 * with it, and when a refund leaves little.
 */
const reversalChange = sql.fragment`
  jsonb_build_object('now', reversed or lost, 'before', coalesce(old.reversed or old.lost, false)) as money,
  jsonb_build_object('now', reversed or lost or little_left, 'before', coalesce(old.reversed or old.lost or old.little_left, false)) as stamps`;

/**
 * Selects whether less is left of a payment than earns a stamp: less than a tenth, or less than the least spend of the programme, if the
 * payment reached that. False while the payment is not known, and when nothing is left, which is a full refund.
 */
const littleLeftSql = (programmeId: string, paid: FragmentSqlToken, refunded: FragmentSqlToken) => sql.fragment`
  ${paid} > ${refunded} and (10 * (${paid} - ${refunded})::bigint < ${paid} or exists (
    select from programme p where p.store_id = ${programmeId} and p.min_spend_pence <= ${paid} and p.min_spend_pence > ${paid} - ${refunded}))`;

/**
 * Records an order's refunds; the event with the highest sequence wins, whatever the order of arrival. Returns what it
 * changes. The card is locked. Its version rises even if no event
 * follows, so an award that was read before is decided again.
 */
export async function enterRefunds(tx: Transaction, { programmeId }: CardKey, refunds: Refunds, sequence: number): Promise<Entered> {
  const newer = sql.fragment`excluded.refund_sequence > order_ledger.refund_sequence`;
  const [given, gone] = [sql.fragment`${refunds.paid_pence ?? 0}::int`, sql.fragment`${refunds.cumulative_pence}::int`];
  const refunded = sql.fragment`(case when ${newer} then excluded.refunded_pence else order_ledger.refunded_pence end)`;
  const paid = sql.fragment`greatest(order_ledger.paid_pence, excluded.paid_pence)`;
  return await tx.one(sql.prepared('enter-refunds', enteredReversal)`
    with changed as (
      update card set version = version + 1 where store_id = ${programmeId} and customer_id = ${refunds.customer_id}
    )
    insert into order_ledger (order_id, store_id, customer_id, programme_id, refunded_pence, reversed, refund_sequence, paid_pence, little_left)
    values (${refunds.order_id}, ${refunds.store_id}, ${refunds.customer_id}, nullif(${programmeId}::uuid, ${refunds.store_id}::uuid), ${gone}, ${refunds.full}, ${sequence},
      ${given}, ${littleLeftSql(programmeId, given, gone)})
    on conflict (order_id) do update
    set refunded_pence = ${refunded}, paid_pence = ${paid}, little_left = ${littleLeftSql(programmeId, paid, refunded)},
        reversed = case when ${newer} then excluded.reversed else order_ledger.reversed end,
        refund_sequence = greatest(order_ledger.refund_sequence, excluded.refund_sequence)
    returning ${reversalChange}`);
}

/**
 * Records a dispute over an order's payment, also before the order itself. Of each dispute the event with the highest sequence wins,
 * whatever the order of arrival; an order may have several disputes. Returns whether the order's stamps are to be taken back, and whether
 * they were before. The card is locked, and its version rises as in {@link enterRefunds}.
 */
export async function enterDispute(
  tx: Transaction,
  { programmeId }: CardKey,
  dispute: DataOf<typeof paymentDisputed>,
  sequence: number,
): Promise<Entered> {
  const { order_id: orderId, dispute_id: disputeId, state, amount_pence: pence } = dispute;
  await tx.query(sql.prepared('enter-dispute', NoColumns)`
    insert into dispute (order_id, dispute_id, sequence, state, amount_pence)
    values (${orderId}, ${disputeId}, ${sequence}, ${state}, ${pence})
    on conflict (order_id, dispute_id) do update
    set sequence = excluded.sequence, state = excluded.state, amount_pence = excluded.amount_pence
    where dispute.sequence < excluded.sequence`);
  return await tx.one(sql.prepared('enter-disputes-of-order', enteredReversal)`
    with changed as (
      update card set version = version + 1 where store_id = ${programmeId} and customer_id = ${dispute.customer_id}
    )
    insert into order_ledger (order_id, store_id, customer_id, programme_id, disputed, lost, lost_pence)
    select ${orderId}, ${dispute.store_id}, ${dispute.customer_id}, nullif(${programmeId}::uuid, ${dispute.store_id}::uuid), bool_or(state = 'opened'), bool_or(state = 'lost'),
      coalesce(sum(amount_pence) filter (where state = 'lost'), 0)
    from dispute where order_id = ${orderId}
    on conflict (order_id) do update set disputed = excluded.disputed, lost = excluded.lost, lost_pence = excluded.lost_pence
    returning ${reversalChange}`);
}

/**
 * The origin of stamps. A refunded order's are reversed; a visit's is undone with it. `byId`: the person at the store who completed the
 * visit, or undid that.
 */
export type StampOrigin =
  | { readonly source: 'order'; readonly orderId: string }
  | { readonly source: 'visit'; readonly visitRef: string; readonly byId: string | null };

/** Selects the ids by the origin of the stamps alone: given the store too, the planner prefers an index by store on a young table. */
const idsOfSql = (origin: StampOrigin) =>
  origin.source === 'order'
    ? sql.fragment`array(select id from stamp where order_id = ${origin.orderId})`
    : sql.fragment`array(select id from stamp where visit_ref = ${origin.visitRef})`;

const takenBackStatus = { order: 'reversed', visit: 'undone' } as const;

const OrderStamp = z.object({
  id: z.string(),
  paid_debt: z.boolean(),
  voucher_id: z.string().nullable(),
  voucher_status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']).nullable(),
});

export const approvedStampsOf = async (
  tx: Transaction,
  { programmeId }: CardKey,
  origin: StampOrigin,
): Promise<readonly z.output<typeof OrderStamp>[]> =>
  await tx.any(sql.prepared(`stamps-of-${origin.source}`, OrderStamp)`
    select s.id, s.paid_debt, s.voucher_id, v.status as voucher_status
    from stamp s left join voucher v on v.id = s.voucher_id
    where s.id = any(${idsOfSql(origin)}) and s.store_id = ${programmeId} and s.status = 'approved' order by s.ordinal`);

/** Takes stamps back, and adds one to the card's debt for each of those `indebting`. The card is locked. */
export async function reverseStamps(
  tx: Transaction,
  { programmeId, customerId }: CardKey,
  { source }: StampOrigin,
  { reverse, indebting }: { readonly reverse: readonly string[]; readonly indebting: readonly string[] },
): Promise<void> {
  await tx.query(sql.prepared('reverse-stamps', NoColumns)`
    with reversed as (
      update stamp set status = ${takenBackStatus[source]}, ended_at = ${tx.now.toISOString()}, left_debt = id = any(${sql.array([...indebting], 'uuid')})
      where id = any(${sql.array([...reverse], 'uuid')}) and store_id = ${programmeId}
    )
    update card set debt = debt + ${indebting.length} where store_id = ${programmeId} and customer_id = ${customerId}`);
}

const Reinstated = z.object({ id: z.string(), left_debt: z.boolean() });

/** Approves stamps that were taken back again. Returns them, each with whether taking it back had left a debt. */
export const reinstateStamps = async (
  tx: Transaction,
  { programmeId }: CardKey,
  origin: StampOrigin,
): Promise<readonly z.output<typeof Reinstated>[]> =>
  await tx.any(sql.prepared(`reinstate-stamps-of-${origin.source}`, Reinstated)`
    update stamp set status = 'approved', ended_at = null, left_debt = false
    where id = any(${idsOfSql(origin)}) and store_id = ${programmeId} and status = ${takenBackStatus[origin.source]}
    returning id, old.left_debt`);

/**
 * Lowers a card's debt by `stamps`. If less is owed, the newest stamps that paid the difference become unused again. The card is locked.
 */
export async function forgiveDebt(tx: Transaction, { programmeId, customerId }: CardKey, stamps: number): Promise<void> {
  await tx.query(sql.prepared('forgive-debt', NoColumns)`
    with forgiven as (
      update card set debt = greatest(0, debt - ${stamps}) where store_id = ${programmeId} and customer_id = ${customerId}
      returning greatest(0, ${stamps} - old.debt) as paid
    )
    update stamp set paid_debt = false where id = any(array(
      select id from stamp where store_id = ${programmeId} and customer_id = ${customerId} and status = 'approved' and paid_debt
      order by created_at desc, id desc limit (select paid from forgiven)
    ))`);
}

/** Voids vouchers and makes the stamps behind them unused. Returns the vouchers. The card is locked. */
export const voidVouchers = async (tx: Transaction, { programmeId }: CardKey, ids: readonly string[]): Promise<readonly Voucher[]> =>
  await tx.any(sql.prepared('void-vouchers', Voucher)`
    with freed as (
      update stamp set voucher_id = null where voucher_id = any(${sql.array([...ids], 'uuid')}) and store_id = ${programmeId}
      returning old.voucher_id as id
    )
    update voucher set status = 'voided', voided_at = ${tx.now.toISOString()}, voided_stamps = (select count(*) from freed where freed.id = voucher.id)
    where id = any(${sql.array([...ids], 'uuid')}) and store_id = ${programmeId}
    returning ${voucherColumns}`);

const Restored = Voucher.extend({ status: z.enum(['active', 'expired']) });

/** Makes the voucher an order redeemed active again, or expired if its last day is past. Null when the order redeemed no voucher. The card is locked. */
export const restoreVoucher = async (
  tx: Transaction,
  { programmeId, customerId }: CardKey,
  orderId: string,
): Promise<z.output<typeof Restored> | null> =>
  await tx.maybeOne(sql.prepared('restore-voucher', Restored)`
    update voucher
    set status = case when expires_at > ${tx.now.toISOString()} then 'active' else 'expired' end,
        redeemed_by_order = null, redeemed_at = null, reserved_by_order = null, restored_from_order = ${orderId}
    where redeemed_by_order = ${orderId} and store_id = ${programmeId} and customer_id = ${customerId} and status = 'redeemed'
    returning ${columns(Restored)}`);

/**
 * Redeems the voucher that was restored from an order for that order again. Null when the order used no voucher, or when the restored
 * voucher is reserved or used by now. The card is locked.
 */
export const redeemRestored = async (tx: Transaction, { programmeId, customerId }: CardKey, orderId: string): Promise<Voucher | null> =>
  await tx.maybeOne(sql.prepared('redeem-restored-voucher', Voucher)`
    update voucher
    set status = 'redeemed', redeemed_by_order = ${orderId}, redeemed_at = ${tx.now.toISOString()}, restored_from_order = null
    where restored_from_order = ${orderId} and store_id = ${programmeId} and customer_id = ${customerId} and status in ('active', 'expired')
    returning ${voucherColumns}`);
