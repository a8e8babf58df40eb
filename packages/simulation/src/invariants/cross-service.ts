import type pg from 'pg';
import { type Breach, breaches } from './breach.ts';

/** What must hold between services, once all is at rest. Erased customers have given up their cards. */
export async function findCrossServiceBreaches(client: pg.Client, erased: readonly string[]): Promise<Breach[]> {
  return [...(await stampsAgree(client, erased)), ...(await cardsAgree(client)), ...(await erasuresAreDone(client, erased))];
}

/** A paid order has one stamp that counts while its money is there, and none once all of it went back. Of partly refunded ones nothing is said. */
async function stampsAgree(client: pg.Client, erased: readonly string[]): Promise<Breach[]> {
  const { rows } = await client.query(
    `select o.id, o.payment_status, o.fully_refunded, o.refunded_pence, o.disputed, count(s.id) filter (where s.status = 'approved')::int as stamps
     from orders.orders o left join loyalty.stamp s on s.order_id = o.id
     where o.parent_order_id is null and o.total_pence > 0 and o.customer_id <> all($1::uuid[])
     group by o.id
     having count(s.id) filter (where s.status = 'approved') <> 1
         and o.payment_status = 'paid' and o.refunded_pence = 0 and not o.disputed and o.accepted_at is not null
       or count(s.id) filter (where s.status = 'approved') <> 0 and (o.fully_refunded or o.payment_status <> 'paid')`,
    [erased],
  );
  return breaches('wrong', 'an order has its stamp while its money is there', rows);
}

/** No card has enough stamps for a voucher that was not minted, or a debt beside stamps that could pay it. */
async function cardsAgree(client: pg.Client): Promise<Breach[]> {
  const { rows } = await client.query(
    `select c.customer_id, c.debt, count(s.id)::int as free, p.goal
     from loyalty.card c join loyalty.programme p using (store_id)
       left join loyalty.stamp s on s.store_id = c.store_id and s.customer_id = c.customer_id
         and s.status = 'approved' and s.voucher_id is null and not s.paid_debt
     group by c.customer_id, c.debt, p.goal having count(s.id) - c.debt >= p.goal or (c.debt > 0 and count(s.id) > 0)`,
  );
  return breaches('wrong', 'a card has fewer unused stamps than a voucher needs', rows);
}

async function erasuresAreDone(client: pg.Client, erased: readonly string[]): Promise<Breach[]> {
  const names = { 'orders.contact': 'customer_id', 'loyalty.customer': 'id', 'queue.customer': 'id', 'notifications.customer': 'id' };
  const { rows } = await client.query(
    Object.entries(names)
      .map(([table, id]) => `select '${table}' as at, ${id} from ${table} where ${id} = any($1::uuid[]) and name is not null`)
      .join(' union all '),
    [erased],
  );
  const { rows: open } = await client.query(
    'select customer_id, reports from directory.erasure where begun_at is not null and finished_at is null and customer_id = any($1::uuid[])',
    [erased],
  );
  return [...breaches('wrong', 'no service has the name of an erased customer', rows), ...breaches('lost', 'an erasure ends', open)];
}
