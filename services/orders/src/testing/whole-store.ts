import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { worker } from './callers.ts';
import { menu, type OpenStore, type Running } from './running.ts';

const Whole = z.object({
  orders: z.unknown(),
  holds: z.unknown(),
  slots: z.unknown(),
  items: z.unknown(),
  published: z.unknown(),
  log: z.unknown(),
});

/** Reads every row of a store, to compare it before and after an operation, except whether a cancellation began. */
export const wholeStore = async ({ service }: Running, { id }: OpenStore) =>
  await service.database.one(sql.type(Whole)`
    select
      (select jsonb_agg(to_jsonb(o) - 'cancel_begun_at' order by o.id) from orders o where o.store_id = ${id}) as orders,
      (select jsonb_agg(to_jsonb(h) order by h.order_id, h.kind, h.ref) from hold h join orders o on o.id = h.order_id where o.store_id = ${id}) as holds,
      (select jsonb_agg(to_jsonb(s) order by s.id) from slot s where s.store_id = ${id}) as slots,
      (select jsonb_agg(to_jsonb(m) order by m.id) from menu_item m where m.store_id = ${id}) as items,
      (select jsonb_agg(jsonb_build_array(e.id, e.type, e.data) order by e.id) from outbox e where e.store_id = ${id}) as published,
      (select jsonb_agg(to_jsonb(l) order by l.id) from log_entry l where l.store_id = ${id}) as log`);

/** Reads the slots, items and promo codes whose count differs from their holds; there must never be one. */
export const miscounted = async ({ service }: Running) =>
  await service.database.any(sql.type(z.object({ kind: z.string(), id: z.string(), counted: z.number(), held: z.number() }))`
    with taken as (
      select h.kind, h.ref, o.store_id, sum(h.quantity)::integer as held from hold h join orders o on o.id = h.order_id where h.state <> 'released' group by 1, 2, 3
    ), counted as (
      select 'slot' as kind, id::text, store_id, used as counted from slot
      union all select 'stock', id, store_id, taken from menu_item
      union all select 'promo', id::text, store_id, uses from promo
      union all select 'pace', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), store_id, taken from pace_quarter
    )
    select c.kind, c.id, c.counted, coalesce(t.held, 0) as held
    from counted c left join taken t on t.kind = c.kind and t.ref = c.id and t.store_id = c.store_id where c.counted <> coalesce(t.held, 0)`);

export async function holdsOf({ service }: Running, orderId: string): Promise<Record<string, string>> {
  const rows = await service.database.any(sql.type(z.object({ kind: z.string(), state: z.string() }))`
    select kind, state from hold where order_id = ${orderId}`);
  return Object.fromEntries(rows.map(({ kind, state }) => [kind, state]));
}

export const slotIn = ({ clock }: Running, minutes: number, capacity: number | null = null, open = true) => {
  const at = (later: number) => new Date(clock.now().getTime() + (minutes + later) * 60_000).toISOString();
  return { id: randomUUID(), starts_at: at(0), ends_at: at(15), capacity, open };
};

export const countedMenu = [...menu, { id: 'cake', name: 'Cake', price_pence: 400, stock: 100 }];

export const setStatus = (by: ReturnType<typeof worker>, store: OpenStore, orderId: string, status: string, note?: string) =>
  by.call('PATCH', `/api/v1/orders/${orderId}/status`, { store_id: store.id, status, ...(note === undefined ? {} : { note }) });
