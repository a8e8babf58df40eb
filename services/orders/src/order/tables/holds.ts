import { NoColumns, type Transaction } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

export const holdKinds = ['slot', 'pace', 'stock', 'promo'] as const;
export type HoldKind = (typeof holdKinds)[number];

export interface HoldScope {
  readonly storeId: string;
  readonly orderIds: readonly string[];
  readonly kinds: readonly HoldKind[];
}

/** The id in a hold's `ref` when the hold is of this kind, else null: compared with an id, it finds the row by its index. */
const uuidOf = (from: 'f' | 'w', kind: 'slot' | 'promo') =>
  sql.fragment`case when ${sql.identifier([from])}.kind = ${kind} then ${sql.identifier([from])}.ref::uuid end`;

const quarterOf = (from: 'f' | 'w') =>
  sql.fragment`case when ${sql.identifier([from])}.kind = 'pace' then ${sql.identifier([from])}.ref::timestamptz end`;

/**
 * Releases the holds of orders, each once. Lock order: holds, slots by id, quarters by time, menu items by id, promo codes.
 */
export async function releaseHolds(tx: Transaction, { storeId, orderIds, kinds }: HoldScope): Promise<void> {
  if (orderIds.length === 0) return;
  await tx.query(sql.prepared('release-holds', NoColumns)`
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
    ), quarters_locked as (
      select t.starts_at, f.quantity from pace_quarter t join freed f on t.starts_at = ${quarterOf('f')}
      where t.store_id = ${storeId} and (select count(*) from slots_freed) >= 0 order by t.starts_at for update of t
    ), quarters_freed as (
      update pace_quarter t set taken = t.taken - k.quantity from quarters_locked k
      where t.store_id = ${storeId} and t.starts_at = k.starts_at returning t.starts_at
    ), items_locked as (
      select m.id, f.quantity from menu_item m join freed f on f.kind = 'stock' and f.ref = m.id
      where m.store_id = ${storeId} and (select count(*) from quarters_freed) >= 0 order by m.id for update of m
    ), items_freed as (
      update menu_item m set taken = m.taken - k.quantity from items_locked k where m.store_id = ${storeId} and m.id = k.id returning m.id
    )
    update promo p set uses = p.uses - f.quantity
    from freed f where p.id = ${uuidOf('f', 'promo')} and (select count(*) from items_freed) >= 0`);
}

/**
 * Puts refunded units back on sale, with their choices, where stock is counted: at most as many of a line as are refunded and the order
 * still holds. The order is locked. Lock order: lines, holds, menu items by id.
 */
export async function restockLines(
  tx: Transaction,
  { storeId, refundId }: { readonly storeId: string; readonly refundId: string },
): Promise<void> {
  await tx.query(sql.prepared('restock-lines', NoColumns)`
    with restocked as (
      update order_line l set restocked = greatest(l.restocked, least(l.restocked + n.quantity, l.refunded))
      from refund_line n where n.refund_id = ${refundId} and n.restock and l.order_id = n.order_id and l.position = n.position
      returning l.order_id, l.menu_item_id, l.choices, new.restocked - old.restocked as quantity
    ), given_back as (
      select g.order_id, g.ref, sum(g.quantity)::integer as quantity
      from (
        select r.order_id, r.menu_item_id as ref, r.quantity from restocked r
        union all
        select r.order_id, c ->> 'choice_id', r.quantity from restocked r, jsonb_array_elements(r.choices) c
      ) g
      where g.quantity > 0 group by g.order_id, g.ref
    ), held as (
      select h.order_id, h.ref, least(h.quantity, g.quantity) as quantity
      from given_back g join hold h on h.order_id = g.order_id and h.kind = 'stock' and h.ref = g.ref
      where h.state <> 'released'
    ), lowered as (
      update hold h
      set quantity = case when f.quantity = h.quantity then h.quantity else h.quantity - f.quantity end,
          state = case when f.quantity = h.quantity then 'released' else h.state end
      from held f where h.order_id = f.order_id and h.kind = 'stock' and h.ref = f.ref
    ), items_locked as (
      select m.id, f.quantity from menu_item m join held f on f.ref = m.id where m.store_id = ${storeId} order by m.id for update of m
    )
    update menu_item m set taken = m.taken - k.quantity from items_locked k where m.store_id = ${storeId} and m.id = k.id`);
}

export interface Replacing {
  readonly storeId: string;
  readonly orderIds: readonly string[];
  readonly holds: readonly { readonly kind: HoldKind; readonly ref: string }[];
}

const Replaceable = z.object({ id: z.string() });

/**
 * Locks orders with their legs, and everything that they and another order hold. Returns the ids of those still unpaid that no one tried
 * to pay. Of the pace, all quarters from the first on are locked. Lock order: orders by id, slots by id, quarters by time, menu items by id,
 * promo codes by id.
 */
export const lockReplaced = (tx: Transaction, { storeId, orderIds, holds }: Replacing): Promise<readonly string[]> =>
  tx.anyFirst(sql.prepared('lock-replaced', Replaceable)`
    with families as materialized (
      select o.id, o.parent_order_id, o.payment_status, o.payment_attempted_at from orders o
      where o.store_id = ${storeId} and (o.id = any(${sql.array([...orderIds], 'uuid')}) or o.parent_order_id = any(${sql.array([...orderIds], 'uuid')}))
      order by coalesce(o.parent_order_id, o.id), o.parent_order_id nulls first, o.order_number for update
    ), wanted as (
      select h.kind, h.ref from families f join hold h on h.order_id = f.id where h.state <> 'released'
      union
      select n.kind, n.ref from jsonb_to_recordset(${sql.jsonb(holds)}) as n(kind text, ref text)
    ), slots as materialized (
      select t.id from slot t join wanted w on t.id = ${uuidOf('w', 'slot')} where t.store_id = ${storeId} order by t.id for update of t
    ), quarters as materialized (
      select t.starts_at from pace_quarter t
      where t.store_id = ${storeId} and t.starts_at >= (select min(${quarterOf('w')}) from wanted w) and (select count(*) from slots) >= 0
      order by t.starts_at for update of t
    ), items as materialized (
      select m.id from menu_item m join wanted w on w.kind = 'stock' and w.ref = m.id
      where m.store_id = ${storeId} and (select count(*) from quarters) >= 0 order by m.id for update of m
    ), codes as materialized (
      select p.id from (select ref::uuid as id from wanted where kind = 'promo' and (select count(*) from items) >= 0 order by ref) w
      cross join lateral (select id from promo where id = w.id limit 1 for update) p
    )
    select f.id from families f
    where f.parent_order_id is null and f.payment_status = 'pending_payment' and f.payment_attempted_at is null
      and (select count(*) from codes) >= 0
    order by f.id`);

export interface Retaking {
  readonly storeId: string;
  readonly orderIds: readonly string[];
  readonly as: 'held' | 'committed';
  readonly customerId: string | null;
}

/** A kind of hold that is no longer available; `item` names a sold-out item, and is null for any other kind. */
export interface MissingHold {
  readonly kind: HoldKind;
  readonly item: string | null;
}

const MissingHolds = z.object({ slot: z.number(), pace: z.number(), stock: z.number(), promo: z.number(), item: z.string().nullable() });

/**
 * Takes the released holds of orders again. Returns the kinds that are no longer available, having taken nothing if there is one. An item
 * that staff marked as sold out is unavailable. A quarter that is over has room. Lock order: slots by id, quarters by time, menu items by
 * id, promo codes.
 */
export async function retakeHolds(tx: Transaction, { storeId, orderIds, as, customerId }: Retaking): Promise<readonly MissingHold[]> {
  const missing = await tx.one(sql.prepared('count-missing-holds', MissingHolds)`
    with wanted as (
      select kind, ref, sum(quantity)::integer as quantity from hold
      where order_id = any(${sql.array([...orderIds], 'uuid')}) and state = 'released' group by kind, ref
    ), slots as (
      select t.id::text as ref from slot t join wanted w on t.id = ${uuidOf('w', 'slot')}
      where t.store_id = ${storeId} and t.open and t.ends_at > ${tx.now.toISOString()} and (t.capacity is null or t.used + w.quantity <= t.capacity)
      order by t.id for update of t
    ), quarters as (
      select t.starts_at from pace_quarter t join wanted w on t.starts_at = ${quarterOf('w')}
      where t.store_id = ${storeId} and (select count(*) from slots) >= 0
        and (t.taken + w.quantity <= t.capacity or t.starts_at <= ${tx.now.toISOString()}::timestamptz - interval '15 minutes')
      order by t.starts_at for update of t
    ), items as (
      select m.id as ref from menu_item m join wanted w on w.kind = 'stock' and w.ref = m.id
      where m.store_id = ${storeId} and (m.stock is null or m.taken + w.quantity <= m.stock)
        and (not m.sold_out or m.sold_out_until <= ${tx.now.toISOString()}) and (select count(*) from quarters) >= 0
      order by m.id for update of m
    ), codes as (
      select p.id, p.id::text as ref from promo p join wanted w on p.id = ${uuidOf('w', 'promo')}
      where (p.max_uses is null or p.uses + w.quantity <= p.max_uses) and (select count(*) from items) >= 0 for update of p
    ), own_codes as (
      select ref from codes where ${customerId}::uuid is null or promo_is_free_for(id, ${customerId})
    )
    select ((select count(*) from wanted where kind = 'slot') - (select count(*) from slots))::integer as slot,
      ((select count(*) from wanted where kind = 'pace') - (select count(*) from quarters))::integer as pace,
      ((select count(*) from wanted where kind = 'stock') - (select count(*) from items))::integer as stock,
      ((select count(*) from wanted where kind = 'promo') - (select count(*) from own_codes))::integer as promo,
      (select m.name from wanted w join menu_item m on m.store_id = ${storeId} and m.id = w.ref
        where w.kind = 'stock' and w.ref not in (select ref from items) order by m.id limit 1) as item`);
  const kinds = holdKinds.filter((kind) => missing[kind] > 0);
  if (kinds.length === 0) await forceRetakeHolds(tx, { storeId, orderIds, kinds: holdKinds }, as);
  return kinds.map((kind) => ({ kind, item: kind === 'stock' ? missing.item : null }));
}

export async function forceRetakeHolds(
  tx: Transaction,
  { storeId, orderIds, kinds }: HoldScope,
  as: Retaking['as'] = 'committed',
): Promise<void> {
  await tx.query(sql.prepared('force-retake-holds', NoColumns)`
    with taken as (
      update hold set state = ${as}
      where order_id = any(${sql.array([...orderIds], 'uuid')}) and kind = any(${sql.array([...kinds], 'text')}) and state = 'released'
      returning kind, ref, quantity
    ), wanted as (
      select kind, ref, sum(quantity)::integer as quantity from taken group by kind, ref
    ), slots as (
      update slot t set used = t.used + w.quantity, over_capacity = greatest(t.over_capacity, t.used + w.quantity - t.capacity)
      from wanted w where t.id = ${uuidOf('w', 'slot')} and t.store_id = ${storeId}
    ), quarters as (
      update pace_quarter t set taken = t.taken + w.quantity, over_capacity = greatest(0, t.taken + w.quantity - t.capacity)
      from wanted w where t.store_id = ${storeId} and t.starts_at = ${quarterOf('w')}
    ), items as (
      update menu_item m set taken = m.taken + w.quantity from wanted w where w.kind = 'stock' and w.ref = m.id and m.store_id = ${storeId}
    )
    update promo p set uses = p.uses + w.quantity, over_limit = greatest(p.over_limit, p.uses + w.quantity - p.max_uses)
    from wanted w where p.id = ${uuidOf('w', 'promo')}`);
}

/**
 * Notes that an unpaid order holds nothing, and stores the customer's provider id, if any. An intent whose creation got no response is
 * searched for from a minute later.
 */
export async function markHoldsReleased(
  tx: Transaction,
  {
    orderId,
    ...customer
  }: { readonly orderId: string; readonly customerId: string; readonly mode: ProviderMode; readonly providerId: string | null },
): Promise<void> {
  await tx.query(sql.prepared('mark-holds-released', NoColumns)`
    with customer_recorded as (
      ${writeCustomerSql(customer)}
    ), looked_for as (
      update provider_call set look_at = ${tx.now.toISOString()}::timestamptz + interval '1 minute'
      where purpose = 'intent' and reference = ${orderId} and look_at is null and state <> 'refused'
    )
    update orders set holds_released = true where id = ${orderId}`);
}

export async function markHeldAgain(tx: Transaction, orderId: string, payUntil: Date): Promise<void> {
  await tx.query(sql.prepared('mark-held-again', NoColumns)`
    update orders set holds_released = false, pay_until = ${payUntil.toISOString()} where id = ${orderId}`);
}

/** Writes a customer's id at the provider, in place of one of the other mode; nothing when it is null. */
export const writeCustomerSql = ({
  customerId,
  mode,
  providerId,
}: {
  readonly customerId: string;
  readonly mode: ProviderMode;
  readonly providerId: string | null;
}): FragmentSqlToken => sql.fragment`
      insert into payment_customer as k (customer_id, provider_id, mode)
      select ${customerId}, ${providerId}::text, ${mode} where ${providerId}::text is not null
      on conflict (customer_id) do update set provider_id = excluded.provider_id, mode = excluded.mode where k.mode <> excluded.mode`;
