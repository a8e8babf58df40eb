import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({ at: z.string(), sentence: z.string(), of: z.string().nullable() });

/** Returns what is recorded of stamps and vouchers, by their own ids or by the orders that earned or used them. No code is revealed. */
export async function explainCards(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.type(Fact)`
    with v as (
      select * from voucher where id = any(${uuids}) or reserved_by_order = any(${uuids}) or redeemed_by_order = any(${uuids})
        or id in (select voucher_id from stamp where order_id = any(${uuids}))
    ), fact (at, sentence, of) as (
      select s.created_at, 'Customer ' || coalesce(s.customer_id::text, 'unknown') || ' had a stamp by ' || s.source
        || coalesce(', for order ' || s.order_id, '') || ' (stamp ' || s.id || '); it is now ' || s.status
        || case when s.paid_debt then ', and paid a debt' when s.voucher_id is not null then ', and part of voucher ' || s.voucher_id else '' end
        || '.', s.order_id
      from stamp s where s.order_id = any(${uuids}) or s.id = any(${uuids})
      union all
      select v.minted_at, 'Voucher ' || v.id || ' was earned by customer ' || v.customer_id || '; it is now ' || v.status || '.', null from v
      union all
      select v.redeemed_at, 'Voucher ' || v.id || ' was redeemed' || coalesce(' by order ' || v.redeemed_by_order, '') || '.', v.redeemed_by_order
      from v where v.redeemed_at is not null
    )
    select ${instantOf(sql.fragment`at`)} as at, sentence, of from fact order by at limit 500`);
  return { facts, also: [] };
}
