import type { Queries } from '@corner/chassis';
import { awardOrder, type RpcInput } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOfSql } from '../../card/tables/programmes.ts';
import { Voucher } from '../../card/tables/vouchers.ts';

export type PaidOrder = RpcInput<typeof awardOrder> & {
  /** The stamp of a tap that stands for the order's first one; absent for most. */
  readonly stamp_id?: string;
};

/**
 * `programmeId`: the programme whose card the order is on: that of its first event, else that of the voucher it has reserved, else the one
 * its store is in. Null for an order that is paid already.
 * `seen`: whether the customer is known at the order's store; null at the programme's home.
 * `entry`: the order in the ledger; `moneyReturned` after a full refund or a lost dispute, `littleLeft` after a refund of nearly all. Null
 * before its first event.
 * `card`: `unused` are ids of its approved stamps that were not used, the oldest first. Null for a card that does not exist.
 * `programme`: null for a store without one, one the directory has not published yet, and an order that has its award.
 * `voucher`: the voucher the order names, whatever its status. Null when the customer has no such voucher of the programme.
 */
const AwardData = z.object({
  programmeId: z.string().nullable(),
  seen: z.boolean().nullable(),
  entry: z
    .object({ paid: z.boolean(), moneyReturned: z.boolean(), littleLeft: z.boolean(), award: awardOrder.output.nullable() })
    .nullable(),
  card: z.object({ version: z.number(), debt: z.number(), unused: z.array(z.string()) }).nullable(),
  programme: z
    .object({
      goal: z.number(),
      enabled: z.boolean(),
      reward_title: z.string(),
      reward_unlock_message: z.string().nullable(),
      driver: z.enum(['orders', 'visits', 'membership']),
      stamps_per_order: z.number(),
      min_spend_pence: z.number(),
    })
    .nullable(),
  voucher: Voucher.nullable(),
});
export type AwardData = z.output<typeof AwardData>;

/** Reads the data that decides the awards of paid orders, in their order, without a lock. Of an order with an award, reads only its entry. */
export async function readAwardData(queries: Pick<Queries, 'any'>, orders: readonly PaidOrder[]): Promise<readonly AwardData[]> {
  const keys = orders.map(({ order_id, store_id, customer_id, voucher_id }) => ({ order_id, store_id, customer_id, voucher_id }));
  return await queries.any(sql.prepared('award-data', AwardData)`
    select e.entry, e.programme_id as "programmeId",
      case when e.programme_id <> o.store_id then (
        select count(*) > 0 from card c where c.store_id = o.store_id and c.customer_id = o.customer_id) end as seen,
      case when not e.paid then (
        select jsonb_build_object('version', c.version, 'debt', c.debt, 'unused', array(
          select s.id from stamp s
          where s.store_id = c.store_id and s.customer_id = c.customer_id and s.status = 'approved' and s.voucher_id is null and not s.paid_debt
          order by s.created_at, s.id))
        from card c where c.store_id = e.programme_id and c.customer_id = o.customer_id) end as card,
      case when e.award is null then (
        select jsonb_build_object('goal', p.goal, 'enabled', p.enabled, 'reward_title', p.reward_title,
          'reward_unlock_message', p.reward_unlock_message, 'driver', coalesce(p.settings ->> 'driver', 'orders'), 'stamps_per_order', p.stamps_per_order, 'min_spend_pence', p.min_spend_pence)
        from programme p where p.store_id = coalesce(e.programme_id, e.entered_programme_id, o.store_id) and exists (select from store s where s.id = p.store_id)) end as programme,
      case when v.store_id = e.programme_id then jsonb_build_object('id', v.id, 'code', v.code, 'reward_title', v.reward_title) end as voucher
    from rows from (jsonb_to_recordset(${sql.jsonb(keys)}) as (order_id uuid, store_id uuid, customer_id uuid, voucher_id uuid))
      with ordinality o
    cross join lateral (
      select l.entry, l.entered_programme_id, coalesce((l.entry ->> 'paid')::boolean, false) as paid, l.entry ->> 'award' as award
      from (select x.entry, (x.entry ->> 'programme_id')::uuid as entered_programme_id from (select (
        select jsonb_build_object('paid', paid, 'moneyReturned', reversed or lost, 'littleLeft', little_left, 'award', award, 'programme_id', coalesce(programme_id, store_id))
        from order_ledger where order_id = o.order_id) as entry offset 0) x) l
    ) k
    left join lateral (
      select * from voucher where id = o.voucher_id and customer_id = o.customer_id and not k.paid offset 0
    ) v on true
    cross join lateral (
      select k.*, case when not k.paid then coalesce(k.entered_programme_id,
        case when v.reserved_by_order = o.order_id then v.store_id end, ${programmeOfSql(sql.fragment`o.store_id`)}) end as programme_id offset 0
    ) e
    order by o.ordinality`);
}
