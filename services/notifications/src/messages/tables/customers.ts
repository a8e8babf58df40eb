import type { Queries } from '@corner/chassis';
import type { DataOf, directoryCustomer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/**
 * Upserts a customer's snapshot unless the stored version is as new. Deletes the customer's gone devices that the snapshot no longer
 * names, so that such a device can come back with a later snapshot.
 */
export async function saveCustomer(tx: Queries, customer: DataOf<typeof directoryCustomer>): Promise<void> {
  await tx.query(sql.prepared('upsert-customer', z.object({}))`
    with upserted as (
      insert into customer (id, version, name, email, push_devices, language, phone)
      values (${customer.id}, ${customer.version}, ${customer.name}, ${customer.email}, ${sql.jsonb(customer.push_devices)},
        ${customer.language}, ${customer.phone})
      on conflict (id) do update
      set version = excluded.version,
          name = excluded.name,
          email = excluded.email,
          push_devices = excluded.push_devices,
          language = excluded.language,
          phone = excluded.phone
      where customer.version < excluded.version
      returning id, push_devices
    )
    delete from gone_device g using upserted u
    where g.customer_id = u.id and not exists (
      select 1 from jsonb_array_elements(u.push_devices) as named where named ->> 'id' = g.device_id)`);
}
