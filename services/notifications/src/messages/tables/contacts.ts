import type { Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ContactAddresses } from '../rules/contact-addresses.ts';
import { Addresses, addressColumns } from './addresses.ts';

/**
 * Replaces the contacts of a store. A contact whose first address is unchanged keeps its id. Deletes the gone devices of contacts that
 * are no longer named, so that such a device can come back with a later snapshot.
 */
export async function replaceContacts(tx: Transaction, storeId: string, contacts: readonly ContactAddresses[]): Promise<void> {
  const rows = sql.jsonb(contacts.map((contact) => ({ ...contact, push_devices: [...contact.push_devices] })));
  await tx.query(sql.prepared('replace-contacts', z.object({}))`
    with given as (
      select md5(${storeId} || ':' || key)::uuid as id, email, phone, push_devices
      from jsonb_to_recordset(${rows}) as g (key text, email text, phone text, push_devices jsonb)
    ), deleted as (
      delete from contact c where c.store_id = ${storeId} and c.id not in (select id from given) returning c.id
    ), back as (
      delete from gone_device g
      where g.customer_id in (select id from contact where store_id = ${storeId}) and not exists (
        select 1 from given, jsonb_array_elements(given.push_devices) as named
        where given.id = g.customer_id and named ->> 'id' = g.device_id)
    )
    insert into contact (id, store_id, email, phone, push_devices)
    select id, ${storeId}::uuid, email, phone, push_devices from given
    on conflict (id) do update set email = excluded.email, phone = excluded.phone, push_devices = excluded.push_devices`);
}

const Contact = Addresses.extend({ id: z.string() });
export type Contact = z.output<typeof Contact>;

/** Reads the contacts of a store with their addresses. */
export const selectContacts = (tx: Queries, storeId: string): Promise<readonly Contact[]> =>
  tx.any(sql.prepared('select-contacts', Contact)`
    select c.id, ${addressColumns} from contact c where c.store_id = ${storeId} order by c.id`);
