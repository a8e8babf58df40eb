import type { Queries } from '@corner/chassis';
import type { DataOf, directoryCustomer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/**
 * Keeps a customer's snapshot unless one as new is kept already. A dead device stays dead while snapshots name it; one that does not
 * forgets it, so that the device can come back later.
 */
export async function keepCustomer(tx: Queries, customer: DataOf<typeof directoryCustomer>): Promise<void> {
  await tx.query(sql.prepared('keep-customer', z.object({}))`
    with kept as (
      insert into customer (id, version, name, email, push_devices)
      values (${customer.id}, ${customer.version}, ${customer.name}, ${customer.email}, ${sql.jsonb(customer.push_devices)})
      on conflict (id) do update
      set version = excluded.version,
          name = excluded.name,
          email = excluded.email,
          push_devices = excluded.push_devices
      where customer.version < excluded.version
      returning id, push_devices
    )
    delete from dead_device d using kept k
    where d.customer_id = k.id and not exists (
      select 1 from jsonb_array_elements(k.push_devices) as named where named ->> 'id' = d.device_id)`);
}
