import { type FragmentSqlToken, sql } from 'slonik';
import type { Hold, Placement } from '../rules/placement.ts';

/**
 * Takes what an order holds, or refuses: a part of a larger statement, which goes on only where `promo_allowed` says yes. `held` has the
 * rows of the holds.
 *
 * Lock order: slots by id, menu items by id, the promo code. A fragment that must run after another one reads its result, since Postgres
 * is free to reorder them otherwise.
 */
export const holdsTaken = (placement: Placement, holds: readonly Hold[]): FragmentSqlToken => sql.fragment`
  held as (
    select * from jsonb_to_recordset(${sql.jsonb(holds as never)}) as h(order_id uuid, kind text, ref text, quantity integer)
  ),
  ${slotsTaken(placement.storeId, placement.placedAt.toISOString())},
  ${stockTaken(placement.storeId)},
  ${promoTaken(placement)}`;

/**
 * Takes the places in slots, or refuses. Each slot is looked up by its id alone: with the store as a condition of the same level, the planner may
 * read all slots of the store to find one.
 */
const slotsTaken = (storeId: string, now: string): FragmentSqlToken => sql.fragment`
  places as (
    select ref::uuid as id, sum(quantity)::integer as quantity from held where kind = 'slot' group by ref
  ),
  slots_locked as materialized (
    select t.id from (select id from places order by id) w
    cross join lateral (select id from slot where id = w.id and (store_id = ${storeId}) is true limit 1 for update) t
  ),
  slots_taken as (
    update slot t set used = t.used + w.quantity
    from places w join slots_locked k on k.id = w.id
    where t.id = w.id and t.open and t.ends_at > ${now} and (t.capacity is null or t.used + w.quantity <= t.capacity)
    returning t.id
  ),
  places_suffice as (
    select case
      when (select count(*) from slots_taken) = (select count(*) from places) then true
      when exists (select 1 from slot t join places w on w.id = t.id where not t.open or t.ends_at <= ${now}) then refuse('SLOT_CLOSED')
      else refuse('SLOT_JUST_FILLED') end as yes
  )`;

/** Takes units of the items whose stock is counted, after the slots, or refuses. */
const stockTaken = (storeId: string): FragmentSqlToken => sql.fragment`
  goods as (
    select ref as id, sum(quantity)::integer as quantity from held where kind = 'stock' and (select yes from places_suffice) group by ref
  ),
  items_locked as (
    select m.id from menu_item m join goods w on w.id = m.id where m.store_id = ${storeId} order by m.id for update of m
  ),
  items_taken as (
    update menu_item m set taken = m.taken + w.quantity
    from goods w join items_locked k on k.id = w.id
    where m.store_id = ${storeId} and m.id = w.id and (m.stock is null or m.taken + w.quantity <= m.stock)
    returning m.id
  ),
  stock_suffices as (
    select case when (select count(*) from items_taken) = (select count(*) from goods) then true else refuse('OUT_OF_STOCK') end as yes
  )`;

/** Takes one use of the promo code, after the stock, or refuses. The customer's own limit is checked under the code's row lock. */
const promoTaken = ({ promo, customerId }: Placement): FragmentSqlToken => sql.fragment`
  promo_taken as (
    update promo c set uses = c.uses + 1
    where c.id = ${promo?.id ?? null} and (select yes from stock_suffices) and c.active and (c.max_uses is null or c.uses < c.max_uses)
    returning c.id
  ),
  promo_allowed as (
    select case
      when ${promo?.id ?? null}::uuid is null then true
      when not exists (select 1 from promo_taken) then refuse('PROMO_LIMIT_REACHED')
      when promo_is_free_for(${promo?.id ?? null}, ${customerId}) then true
      else refuse('PROMO_LIMIT_REACHED') end as yes
  )`;
