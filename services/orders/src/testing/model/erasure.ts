import { sql } from 'slonik';
import { z } from 'zod';
import type { Shop } from './shop.ts';

const What = z.object({ what: z.string() });

/** Lists what names the customer who was erased. Texts of an order stay until it has ended, `atRest` says that all have. */
export async function leftOfErased({ isErased, leaver: { sub }, running }: Shop, atRest: boolean): Promise<readonly string[]> {
  if (!isErased) return [];
  const found = await running.service.database.anyFirst(sql.type(What)`
    select 'an erased customer has a name' as what from contact where customer_id = ${sub}
    union all select 'a note of an erased customer is there: ' || o.id
      from orders o join order_line l on l.order_id = o.id left join orders m on m.id = o.parent_order_id
      where ${atRest}::boolean and coalesce(m.customer_id, o.customer_id) = ${sub} and l.note is not null
    union all select 'an erased customer is known at the provider' from payment_customer where ${atRest}::boolean and customer_id = ${sub}
    union all select 'an erasure is not finished' from erased_customer where ${atRest}::boolean and customer_id = ${sub} and finished_at is null`);
  const { customers } = running.payments.books();
  const atProvider = customers.some(({ metadata }) => metadata.customer_id === sub && metadata.deleted !== 'true');
  return [...found, ...(atRest && atProvider ? ['an erased customer is there at the provider'] : [])];
}
