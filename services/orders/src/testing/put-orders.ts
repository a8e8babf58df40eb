import { sql } from 'slonik';
import { z } from 'zod';
import type { OpenStore, Running } from './running.ts';

export interface Many {
  /**
   * The number of orders, and of legs for each. `from` is the first order's created_at, ISO 8601; each further order is a microsecond
   * later, and legs have their order's time.
   */
  readonly orders: number;
  readonly legs?: number;
  readonly from: string;
}

export const putEnded = (running: Running, store: OpenStore, many: Many): Promise<readonly string[]> =>
  put(running, store, 'fulfilled', many);

export const putLive = (running: Running, store: OpenStore, many: Many): Promise<readonly string[]> => put(running, store, 'placed', many);

const put = async ({ service }: Running, store: OpenStore, status: 'fulfilled' | 'placed', { orders, legs = 0, from }: Many) =>
  await service.database.anyFirst(sql.type(z.object({ id: z.string() }))`
    with parent as materialized (
      select n, gen_random_uuid() as id, ${from}::timestamptz + n * interval '1 microsecond' as at from generate_series(0, ${orders - 1}::int) n
    ), row as (
      select id, null::uuid as parent_id, n::text as number, at, n from parent
      union all
      select gen_random_uuid(), id, n || '-' || leg, at, n from parent, generate_series(1, ${legs}::int) leg
    ), inserted as (
      insert into orders (id, store_id, customer_id, parent_order_id, order_number, order_type, prep_minutes, payment_status, business_status,
        fulfilment_status, currency, subtotal_pence, total_pence, connected_account_id, created_at, paid_at, requested_collection_at)
      select id, ${store.id}, gen_random_uuid(), parent_id, number, 'collect', 5, 'paid', ${status},
        case when ${status} = 'placed' then 'accepted' end, 'GBP', 100, 100, ${store.account}, at, at,
        case when parent_id is not null then date_trunc('day', at) + n % 3 * interval '1 hour' end
      from row
      returning id, coalesce(requested_collection_at, created_at) as due_at
    )
    select id from inserted order by due_at, id`);
