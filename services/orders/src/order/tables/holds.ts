import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

export type HoldKind = 'slot' | 'stock' | 'promo';

/** Orders of a store, and the kinds of their holds that are meant. */
export interface HoldScope {
  readonly storeId: string;
  readonly orderIds: readonly string[];
  readonly kinds: readonly HoldKind[];
}

/** The id in a hold's `ref` when the hold is of this kind, else null: compared with an id, it finds the row by its index. */
const uuidOf = (from: 'f' | 'w', kind: 'slot' | 'promo') =>
  sql.fragment`case when ${sql.identifier([from])}.kind = ${kind} then ${sql.identifier([from])}.ref::uuid end`;

/**
 * Releases the holds of orders. A hold is released once; a repeat changes nothing. Lock order: holds, slots by id, menu items by id,
 * promo codes.
 */
export async function releaseHolds(tx: Transaction, { storeId, orderIds, kinds }: HoldScope): Promise<void> {
  if (orderIds.length === 0) return;
  await tx.query(sql.prepared('release-holds', z.object({}))`
    with released as (
      update hold set state = 'released'
      where order_id = any(${sql.array([...orderIds], 'uuid')}) and kind = any(${sql.array([...kinds], 'text')}) and state <> 'released'
      returning kind, ref, quantity
    ), freed as (
      select kind, ref, sum(quantity)::integer as quantity from released group by kind, ref
    ), slots_locked as (
      select t.id, f.quantity from slot t join freed f on t.id = ${uuidOf('f', 'slot')} where t.store_id = ${storeId} order by t.id for update of t
    ), slots_freed as (
      update slot t set used = t.used - k.quantity from slots_locked k where t.id = k.id returning t.id
    ), items_locked as (
      select m.id, f.quantity from menu_item m join freed f on f.kind = 'stock' and f.ref = m.id
      where m.store_id = ${storeId} and (select count(*) from slots_freed) >= 0 order by m.id for update of m
    ), items_freed as (
      update menu_item m set taken = m.taken - k.quantity from items_locked k where m.store_id = ${storeId} and m.id = k.id returning m.id
    )
    update promo p set uses = p.uses - f.quantity
    from freed f where p.id = ${uuidOf('f', 'promo')} and (select count(*) from items_freed) >= 0`);
}

export interface Retaking {
  readonly storeId: string;
  readonly orderIds: readonly string[];
  /** Whether they are held until a payment, or taken for good. */
  readonly as: 'held' | 'committed';
  /** The customer whose own limit of a promo code counts; null when only the code's does. */
  readonly customerId: string | null;
}

/**
 * Takes the released holds of orders again. Returns the kinds of those that are no longer available, having taken nothing when there is
 * one. Lock order: slots by id, menu items by id, promo codes.
 */
export async function retakeHolds(tx: Transaction, { storeId, orderIds, as, customerId }: Retaking): Promise<readonly HoldKind[]> {
  const missing = await tx.one(sql.prepared('count-missing-holds', z.object({ slot: z.number(), stock: z.number(), promo: z.number() }))`
    with wanted as (
      select kind, ref, sum(quantity)::integer as quantity from hold
      where order_id = any(${sql.array([...orderIds], 'uuid')}) and state = 'released' group by kind, ref
    ), slots as (
      select t.id::text as ref from slot t join wanted w on t.id = ${uuidOf('w', 'slot')}
      where t.store_id = ${storeId} and t.open and t.ends_at > ${tx.now.toISOString()} and (t.capacity is null or t.used + w.quantity <= t.capacity)
      order by t.id for update of t
    ), items as (
      select m.id as ref from menu_item m join wanted w on w.kind = 'stock' and w.ref = m.id
      where m.store_id = ${storeId} and (m.stock is null or m.taken + w.quantity <= m.stock) and (select count(*) from slots) >= 0
      order by m.id for update of m
    ), codes as (
      select p.id, p.id::text as ref from promo p join wanted w on p.id = ${uuidOf('w', 'promo')}
      where (p.max_uses is null or p.uses + w.quantity <= p.max_uses) and (select count(*) from items) >= 0 for update of p
    ), own_codes as (
      select ref from codes where ${customerId}::uuid is null or promo_is_free_for(id, ${customerId})
    )
    select ((select count(*) from wanted where kind = 'slot') - (select count(*) from slots))::integer as slot,
      ((select count(*) from wanted where kind = 'stock') - (select count(*) from items))::integer as stock,
      ((select count(*) from wanted where kind = 'promo') - (select count(*) from own_codes))::integer as promo`);
  const kinds = (['slot', 'stock', 'promo'] as const).filter((kind) => missing[kind] > 0);
  if (kinds.length === 0) await forceRetakeHolds(tx, { storeId, orderIds, kinds: ['slot', 'stock', 'promo'] }, as);
  return kinds;
}

/** Takes released holds again even beyond the limits, for what the store owes the customer anyway. */
export async function forceRetakeHolds(
  tx: Transaction,
  { storeId, orderIds, kinds }: HoldScope,
  as: Retaking['as'] = 'committed',
): Promise<void> {
  await tx.query(sql.prepared('force-retake-holds', z.object({}))`
    with taken as (
      update hold set state = ${as}
      where order_id = any(${sql.array([...orderIds], 'uuid')}) and kind = any(${sql.array([...kinds], 'text')}) and state = 'released'
      returning kind, ref, quantity
    ), wanted as (
      select kind, ref, sum(quantity)::integer as quantity from taken group by kind, ref
    ), slots as (
      update slot t set used = t.used + w.quantity, over_capacity = greatest(t.over_capacity, t.used + w.quantity - t.capacity)
      from wanted w where t.id = ${uuidOf('w', 'slot')} and t.store_id = ${storeId}
    ), items as (
      update menu_item m set taken = m.taken + w.quantity from wanted w where w.kind = 'stock' and w.ref = m.id and m.store_id = ${storeId}
    )
    update promo p set uses = p.uses + w.quantity, over_limit = greatest(p.over_limit, p.uses + w.quantity - p.max_uses)
    from wanted w where p.id = ${uuidOf('w', 'promo')}`);
}
