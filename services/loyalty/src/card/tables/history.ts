import { instantOf, type Queries } from '@corner/chassis';
import { cardEntryKinds, stampLosses } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { type CustomerAt, programmeOfSql } from './programmes.ts';

const Entry = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(cardEntryKinds),
  change: z.number(),
  balance: z.number(),
  source: z.string().nullable(),
  order_id: z.string().nullable(),
  store_id: z.string(),
  voucher_id: z.string().nullable(),
  reward_title: z.string().nullable(),
  lost_by: z.enum(stampLosses).nullable(),
});

const History = z.object({ cursor_known: z.boolean(), entries: z.array(Entry) });

export interface HistoryQuery extends CustomerAt {
  readonly before: string | null;
  readonly limit: number;
}

/**
 * Reads a page of the history of a customer's card at a store, newest first. `before`: the id of the last entry of the page before; null
 * for the first page. Null for an unknown store. The entries are made of the stamps and vouchers as they are, so their changes always sum
 * to the card's balance: its unused stamps less its debt. A stamp that was taken back and given again has one entry. A stamp that was taken
 * back after its voucher had expired unused owes nothing. An end without a recorded time gets the time of its beginning.
 */
export const readCardHistory = (
  queries: Queries,
  { storeId, customerId, before, limit }: HistoryQuery,
): Promise<z.output<typeof History> | null> =>
  queries.maybeOne(sql.prepared('read-card-history', History)`
    with home as materialized (
      select ${programmeOfSql(sql.fragment`s.id`)} as id from store s where s.id = ${storeId}
    ), own as materialized (
      select t.*, coalesce(t.approved_at, t.created_at) as gained_at from stamp t where t.store_id = (select id from home) and t.customer_id = ${customerId}
    ), vouchers as materialized (
      select v.*, case when v.status = 'voided' then coalesce(v.voided_stamps, 0) else (select count(*) from own o where o.voucher_id = v.id) end as stamps
      from voucher v where v.id = any(array(select voucher_id from own where voucher_id is not null))
      union all
      select v.*, coalesce(v.voided_stamps, 0) from voucher v
      where v.store_id = (select id from home) and v.customer_id = ${customerId} and v.status = 'voided'
    ), fact (place, at, kind, change, of, source, order_id, store_id, voucher_id, reward_title, lost_by) as (
      select 1, o.gained_at, 'stamp', 1, o.id, o.source, o.order_id, coalesce(o.at_store_id, o.store_id), null::uuid, null, null
      from own o where o.status in ('approved', 'undone', 'reversed')
      union all
      select 1, o.created_at, 'stamp_waiting', 0, o.id, o.source, o.order_id, coalesce(o.at_store_id, o.store_id), null, null, null
      from own o where o.status = 'pending'
      union all
      select 4, coalesce(o.ended_at, o.gained_at), 'stamp_lost',
        case when o.status = 'rejected' or (o.voucher_id is not null and not o.left_debt) then 0 else -1 end,
        o.id, o.source, o.order_id, coalesce(o.at_store_id, o.store_id), null, null,
        case
          when o.status = 'rejected' then 'rejection'
          when o.status = 'undone' then 'correction'
          when (select l.lost from order_ledger l where l.order_id = o.order_id) then 'dispute'
          else 'refund' end
      from own o where o.status in ('rejected', 'undone', 'reversed')
      union all
      select 2, v.minted_at, 'voucher_earned', -v.stamps::int, v.id, null, null, v.store_id, v.id, v.reward_title, null from vouchers v
      union all
      select 3, coalesce(v.voided_at, v.minted_at), 'voucher_taken_back', v.stamps::int, v.id, null, null, v.store_id, v.id, v.reward_title, null
      from vouchers v where v.status = 'voided'
      union all
      select 3, v.redeemed_at, 'voucher_used', 0, v.id, null, v.redeemed_by_order, v.store_id, v.id, v.reward_title, null
      from vouchers v where v.status = 'redeemed'
      union all
      select 3, v.expires_at, 'voucher_expired', 0, v.id, null, null, v.store_id, v.id, v.reward_title, null
      from vouchers v where v.status = 'expired'
    ), numbered as materialized (
      select f.*, f.kind || ':' || f.of as id, row_number() over own_order as n, sum(f.change) over own_order as balance
      from fact f window own_order as (order by f.at, f.place, f.of)
    ), page as (
      select * from numbered where ${before}::text is null or n < (select b.n from numbered b where b.id = ${before}) order by n desc limit ${limit}
    )
    select ${before}::text is null or exists (select from numbered b where b.id = ${before}) as cursor_known,
      coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'at', ${instantOf(sql.fragment`p.at`)}, 'kind', p.kind, 'change', p.change,
        'balance', p.balance, 'source', p.source, 'order_id', p.order_id, 'store_id', p.store_id, 'voucher_id', p.voucher_id,
        'reward_title', p.reward_title, 'lost_by', p.lost_by) order by p.n desc) from page p), '[]') as entries
    from home`);
