import { type OutboxEntry, outboxInserted, type Queries } from '@corner/chassis';
import { awardOrder, type RpcInput, type RpcOutput } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './cards.ts';

/** A paid order, as the RPC and the event describe it. */
export type PaidOrder = RpcInput<typeof awardOrder>;

const AwardData = z.object({
  /** What is recorded of the order; `reversed` after a full refund or a lost dispute. Null before its first event. */
  entry: z.object({ paid: z.boolean(), reversed: z.boolean(), award: awardOrder.output.nullable() }).nullable(),
  /**
   * `unused`: its approved stamps that were not used. `seen`: the transaction that last changed its row. Null for a card that does not
   * exist.
   */
  card: z.object({ version: z.number(), debt: z.number(), unused: z.number(), seen: z.string() }).nullable(),
  programme: z
    .object({
      goal: z.number(),
      enabled: z.boolean(),
      reward_title: z.string(),
      reward_unlock_message: z.string().nullable(),
      stamps_per_order: z.number(),
      min_spend_pence: z.number(),
    })
    .nullable(),
});
export type AwardData = z.output<typeof AwardData>;

/**
 * Reads what decides about the awards of paid orders, in their order, without a lock. Of an order that was awarded already only the entry
 * is read.
 */
export async function readAwardData(queries: Pick<Queries, 'any'>, orders: readonly PaidOrder[]): Promise<readonly AwardData[]> {
  const keys = orders.map(({ order_id, store_id, customer_id }) => ({ order_id, store_id, customer_id }));
  const unused = sql.fragment`
    select count(*) from stamp s
    where s.store_id = c.store_id and s.customer_id = c.customer_id and s.status = 'approved' and s.voucher_id is null and not s.paid_debt`;
  return await queries.any(sql.prepared('award-data', AwardData)`
    select e.entry, case when not coalesce((e.entry ->> 'paid')::boolean, false) then (
        select jsonb_build_object('version', c.version, 'debt', c.debt, 'unused', (${unused}), 'seen', c.xmin::text)
        from card c where c.store_id = o.store_id and c.customer_id = o.customer_id) end as card,
      (select jsonb_build_object('goal', p.goal, 'enabled', p.enabled, 'reward_title', p.reward_title,
          'reward_unlock_message', p.reward_unlock_message, 'stamps_per_order', p.stamps_per_order, 'min_spend_pence', p.min_spend_pence)
        from programme p where p.store_id = o.store_id and exists (select from store s where s.id = p.store_id)) as programme
    from rows from (jsonb_to_recordset(${sql.jsonb(keys)}) as (order_id uuid, store_id uuid, customer_id uuid)) with ordinality o
    cross join lateral (select (
      select jsonb_build_object('paid', l.paid, 'reversed', l.reversed or l.lost, 'award', l.award)
      from order_ledger l where l.order_id = o.order_id) as entry offset 0) e
    order by o.ordinality`);
}

/**
 * The awards of a card's orders, decided from the state of the card that was read, and their events. Without any, the card is only locked.
 */
export interface AwardsOfCard extends CardKey {
  /** The transaction that had last changed the card's row when it was read; null for a card that did not exist. */
  readonly seen: string | null;
  readonly orders: readonly AwardedOrder[];
  readonly events: readonly OutboxEntry[];
}

export interface AwardedOrder {
  readonly order: PaidOrder;
  readonly award: RpcOutput<typeof awardOrder>;
  readonly stampIds: readonly string[];
}

const Key = z.object({ storeId: z.string(), customerId: z.string() });

/**
 * Records the awards of orders: their entries, visits, stamps and events, card by card. It locks the cards in the order of their keys, and
 * leaves those unchanged that changed since they were seen. Returns the changed ones. Every change of a card, its stamps or its orders
 * updates the card's row first, so while the row is still of the same transaction (`xmin`), nothing has changed.
 */
export async function enterAwards(queries: Pick<Queries, 'any'>, cards: readonly AwardsOfCard[], now: Date): Promise<readonly CardKey[]> {
  const at = now.toISOString();
  const events = cards.flatMap((card) => card.events);
  return await queries.any(sql.prepared('enter-awards', Key)`
    with decided as materialized (
      select * from jsonb_to_recordset(${sql.jsonb(cards.map(cardRow))}) as d (store_id uuid, customer_id uuid, seen text, events bigint)
    ),
    paid as materialized (
      select * from jsonb_to_recordset(${sql.jsonb(cards.flatMap((card) => card.orders.map(orderRow)))}) as o (order_id uuid, store_id uuid,
        customer_id uuid, paid_at timestamptz, paid_pence int, award jsonb, stamp_ids uuid[])
    ),
    changed as (
      insert into card as c (store_id, customer_id, version, order_count, created_at, last_visit_at, customer_since)
      select store_id, customer_id, events, count(order_id), ${at}, max(paid_at), min(paid_at)
      from decided left join paid using (store_id, customer_id) group by store_id, customer_id, events order by store_id, customer_id
      on conflict (store_id, customer_id) do update
      set version = c.version + excluded.version, order_count = c.order_count + excluded.order_count,
        last_visit_at = greatest(c.last_visit_at, excluded.last_visit_at), customer_since = least(c.customer_since, excluded.customer_since)
      where c.xmin::text = (select d.seen from decided d where d.store_id = c.store_id and d.customer_id = c.customer_id)
      returning c.store_id, c.customer_id
    ),
    awarded as materialized (select * from paid join changed using (store_id, customer_id)),
    entered as (
      insert into order_ledger (order_id, store_id, customer_id, paid, paid_pence, awarded, award)
      select order_id, store_id, customer_id, true, paid_pence, (award ->> 'awarded')::boolean, award from awarded
      on conflict (order_id) do update
      set paid = true, paid_pence = excluded.paid_pence, awarded = excluded.awarded, award = excluded.award
    ),
    stamped as (
      insert into stamp (id, store_id, customer_id, status, source, order_id, ordinal, created_at, approved_at)
      select s.id, store_id, customer_id, 'approved', 'order', order_id, s.ordinal, ${at}, ${at}
      from awarded cross join unnest(stamp_ids) with ordinality s (id, ordinal)
    ),
    published as (${outboxInserted(events, sql.fragment`join changed using (store_id, customer_id)`)})
    select store_id as "storeId", customer_id as "customerId" from changed`);
}

const cardRow = ({ storeId, customerId, seen, events }: AwardsOfCard) => ({
  store_id: storeId,
  customer_id: customerId,
  seen,
  events: events.length,
});

const orderRow = ({ order, award, stampIds }: AwardedOrder) => ({
  order_id: order.order_id,
  store_id: order.store_id,
  customer_id: order.customer_id,
  paid_at: order.paid_at,
  paid_pence: order.total_pence,
  award,
  stamp_ids: stampIds,
});
