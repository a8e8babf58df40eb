import { sql } from 'slonik';
import { z } from 'zod';
import type { OpenStore, Running } from './running.ts';

/** How many fulfilled orders to insert. */
export interface Ended {
  /** The number of orders, and of legs for each; legs have the created_at of their order. */
  readonly orders: number;
  readonly legs?: number;
  /** The created_at of the first, ISO 8601; each further order is a microsecond later. */
  readonly from: string;
}

/** Inserts fulfilled orders into the database, and returns all ids. */
export const putEnded = async ({ service }: Running, store: OpenStore, { orders, legs = 0, from }: Ended): Promise<readonly string[]> =>
  await service.database.anyFirst(sql.type(z.object({ id: z.string() }))`
    with parent as materialized (
      select n, gen_random_uuid() as id, ${from}::timestamptz + n * interval '1 microsecond' as at from generate_series(0, ${orders - 1}::int) n
    ), row as (
      select id, null::uuid as parent_id, n::text as number, at from parent
      union all
      select gen_random_uuid(), id, n || '-' || leg, at from parent, generate_series(1, ${legs}::int) leg
    )
    insert into orders (id, store_id, customer_id, parent_order_id, order_number, order_type, prep_minutes, payment_status, business_status,
      currency, subtotal_pence, total_pence, connected_account_id, created_at, paid_at)
    select id, ${store.id}, gen_random_uuid(), parent_id, number, 'collect', 5, 'paid', 'fulfilled', 'GBP', 100, 100, ${store.account}, at, at
    from row
    returning id`);
