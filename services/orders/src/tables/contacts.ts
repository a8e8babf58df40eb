import type { Queries } from '@corner/chassis';
import type { DataOf, directoryCustomer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Writes through which channels a customer can be reached, unless the same version or a newer one is stored. */
export async function writeContact(
  queries: Queries,
  { id, version, push_devices, email }: DataOf<typeof directoryCustomer>,
): Promise<void> {
  await queries.query(sql.prepared('write-contact', z.object({}))`
    insert into contact (customer_id, version, has_push, has_email) values (${id}, ${version}, ${push_devices.length > 0}, ${Boolean(email)})
    on conflict (customer_id) do update set version = excluded.version, has_push = excluded.has_push, has_email = excluded.has_email
    where contact.version < excluded.version`);
}
