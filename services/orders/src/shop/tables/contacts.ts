import type { Queries } from '@corner/chassis';
import type { DataOf, directoryCustomer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Writes a customer's name, and through which channels the customer can be reached, unless the same version or a newer one is stored. */
export async function writeContact(
  queries: Queries,
  { id, version, name, push_devices, email }: DataOf<typeof directoryCustomer>,
): Promise<void> {
  await queries.query(sql.prepared('write-contact', z.object({}))`
    insert into contact (customer_id, version, name, has_push, has_email)
    values (${id}, ${version}, ${name}, ${push_devices.length > 0}, ${Boolean(email)})
    on conflict (customer_id) do update set version = excluded.version, name = excluded.name, has_push = excluded.has_push, has_email = excluded.has_email
    where contact.version < excluded.version`);
}
