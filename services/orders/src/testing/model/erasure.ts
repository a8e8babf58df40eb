import { sql } from 'slonik';
import { z } from 'zod';
import type { Shop } from './shop.ts';

const What = z.object({ what: z.string() });

/**
 * Lists remaining data that identifies the erased customer. `atRest`: the job has run after the last change. An order's texts stay until
 * it has ended, and the provider's customer until all have.
 */
export async function leftOfErased({ isErased, leaver: { sub }, running }: Shop, atRest: boolean): Promise<readonly string[]> {
  if (!isErased) return [];
  const found = await running.service.database.anyFirst(sql.type(What)`
    with own as (
      select o.id, o.has_ended and (o.parent_order_id is null or m.has_ended)
        and not exists (select from orders l where l.parent_order_id = o.id and not l.has_ended) as is_over
      from orders o left join orders m on m.id = o.parent_order_id where coalesce(m.customer_id, o.customer_id) = ${sub}
    ), finished as (select ${atRest}::boolean and not exists (select from own where not is_over) as it)
    select 'an erased customer has a name' as what from contact where customer_id = ${sub}
    union all select 'a note of an erased customer is there: ' || o.id
      from own o join order_line l on l.order_id = o.id where ${atRest}::boolean and o.is_over and l.note is not null
    union all select 'an erased customer is known at the provider' from payment_customer, finished where it and customer_id = ${sub}
    union all select 'an erasure is not finished' from erased_customer, finished where it and customer_id = ${sub} and finished_at is null`);
  const { customers } = running.payments.books();
  const isAtProvider = customers.some(({ metadata }) => metadata.customer_id === sub && metadata.deleted !== 'true');
  const isDone = await running.service.database.exists(sql.type(z.object({}))`
    select from erased_customer where customer_id = ${sub} and finished_at is not null`);
  return [...found, ...(atRest && isDone && isAtProvider ? ['an erased customer is there at the provider'] : [])];
}
