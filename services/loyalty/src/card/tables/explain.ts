import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({
  at: z.string(),
  sentence: z.string(),
  of: z.string().nullable(),
  voucher_id: z.string().nullable(),
  store_id: z.string(),
  customer_id: z.string().nullable(),
});

/**
 * Returns the records of stamps and vouchers by their ids, by a voucher's code, by the orders that earned or used them, or by their
 * customer: then the newest ones. Returns no code.
 */
export async function explainCards(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const names = sql.array([...ids], 'text');
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.prepared('explain-cards', Fact)`
    with c as (select * from card where customer_id = any(${uuids}) order by last_visit_at desc nulls last limit ${mostCards}),
    s as (
      select * from stamp where order_id = any(${uuids}) or id = any(${uuids})
      union
      select n.* from c cross join lateral (
        select * from stamp x where x.store_id = c.store_id and x.customer_id = c.customer_id order by x.created_at desc limit ${mostStamps}
      ) n
    ), v as (
      select * from voucher where id = any(array(
        select unnest(${uuids})
        union all select x.id from voucher x where x.code = any(${names})
        union all select x.id from voucher x where x.redeemed_by_order = any(${uuids})
        union all select x.voucher_id from stamp x where x.order_id = any(${uuids})
      ))
      union
      select n.* from c cross join lateral (
        select * from voucher x where x.store_id = c.store_id and x.customer_id = c.customer_id and x.status in ('active', 'reserved')
        order by x.minted_at desc limit ${mostStamps}
      ) n
    ), fact (at, sentence, of, voucher_id, store_id, customer_id) as (
      select c.created_at, 'Customer ' || c.customer_id || ' got a card of store ' || c.store_id || '; it now counts ' || c.order_count || ' orders'
        || case when c.debt > 0 then ', and owes ' || c.debt || ' stamps' else '' end || '.', null::uuid, null::uuid, c.store_id, c.customer_id
      from c
      union all
      select s.created_at, 'Customer ' || coalesce(s.customer_id::text, 'unknown') || ' had a stamp by ' || s.source
        || coalesce(', for order ' || s.order_id, '') || coalesce(', at store ' || s.at_store_id, '') || ' (stamp ' || s.id || '); it is now ' || s.status
        || case when s.paid_debt then ', and paid a debt' when s.voucher_id is not null then ', and part of voucher ' || s.voucher_id else '' end
        || '.', s.order_id, null, s.store_id, s.customer_id
      from s
      union all
      select v.minted_at, 'Voucher ' || v.id || ' of store ' || v.store_id || ' was earned by customer ' || v.customer_id || '; it is now ' || v.status
        || case when v.status = 'reserved' then coalesce(' by order ' || v.reserved_by_order, '') else '' end
        || ', and ends at ' || ${instantOf(sql.fragment`v.expires_at`)} || '.', v.reserved_by_order, v.id, v.store_id, v.customer_id
      from v
      union all
      select v.redeemed_at, 'Voucher ' || v.id || ' was redeemed' || coalesce(' by order ' || v.redeemed_by_order, '') || '.', v.redeemed_by_order, v.id, v.store_id, v.customer_id
      from v where v.redeemed_at is not null
    )
    select ${instantOf(sql.fragment`at`)} as at, sentence, of, voucher_id, store_id, customer_id from fact order by at limit 500`);
  return {
    facts: facts.map(({ voucher_id, ...fact }) => fact),
    also: [...new Set(facts.flatMap(({ voucher_id }) => voucher_id ?? []))],
  };
}

const mostCards = 20;

const mostStamps = 20;
