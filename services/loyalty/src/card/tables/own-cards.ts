import { instantOf, type Queries } from '@corner/chassis';
import { CardLook } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { ActiveVoucher, activeVouchersSql, Membership } from './customer-state.ts';

const OwnCard = z.object({
  programme_id: z.string(),
  stores: z.array(z.object({ id: z.string(), code: z.string(), name: z.string() })),
  enabled: z.boolean().nullable(),
  goal: z.number().nullable(),
  reward_title: z.string().nullable(),
  driver: z.enum(['orders', 'visits', 'membership']),
  stamps_per_order: z.number().nullable(),
  min_spend_pence: z.number().nullable(),
  currency: z.string(),
  look: CardLook,
  stamps: z.number(),
  pending: z.number(),
  debt: z.number(),
  vouchers: z.array(ActiveVoucher),
  memberships: z.array(Membership).nullable(),
  order_count: z.number(),
  last_visit_at: z.string().nullable(),
});
export type OwnCard = z.output<typeof OwnCard>;

/**
 * Reads a customer's cards, one for each programme of the stores where they were, the last visited first, in one statement. A card of
 * several stores has the look and the currency of its home.
 */
export const listOwnCards = (queries: Queries, customerId: string, now: Date): Promise<readonly OwnCard[]> =>
  queries.any(sql.prepared('list-own-cards', OwnCard)`
    with visited as (
      select coalesce((select m.programme_id from programme_store m where m.store_id = c.store_id), c.store_id) as id, c.order_count, c.last_visit_at
      from card c where c.customer_id = ${customerId}
    ), home as (
      select id, sum(order_count)::int as order_count, max(last_visit_at) as last_visit_at from visited group by id
    )
    select h.id as programme_id, p.enabled, p.goal, p.reward_title, coalesce(p.settings ->> 'driver', 'orders') as driver, p.stamps_per_order,
      p.min_spend_pence, s.currency, s.branding as look, coalesce(k.debt, 0) as debt, h.order_count,
      ${instantOf(sql.fragment`h.last_visit_at`)} as last_visit_at, u.memberships,
      (
        select jsonb_agg(jsonb_build_object('id', t.id, 'code', t.code, 'name', t.name) order by t.id <> h.id, t.name, t.id)
        from (select h.id union all select m.store_id from programme_store m where m.programme_id = h.id) n
        cross join lateral (select * from store where id = n.id limit 1) t
      ) as stores,
      (
        select count(*) from stamp t
        where t.store_id = h.id and t.customer_id = ${customerId} and t.status = 'approved' and t.voucher_id is null and not t.paid_debt
      )::int as stamps,
      (select count(*) from stamp t where t.store_id = h.id and t.customer_id = ${customerId} and t.status = 'pending')::int as pending,
      ${activeVouchersSql({ programmeId: sql.fragment`h.id`, storeId: sql.fragment`h.id`, customerId: sql.fragment`${customerId}` }, now)} as vouchers
    from home h
    cross join lateral (select * from store where id = h.id limit 1) s
    left join lateral (select * from programme where store_id = h.id limit 1) p on true
    left join lateral (select * from card where store_id = h.id and customer_id = ${customerId} limit 1) k on true
    left join lateral (select * from customer where id = ${customerId} limit 1) u on true
    order by h.last_visit_at desc nulls last, h.id`);
