import { type CustomerData, instantOf, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Erased = z.object({ entries: z.number(), names: z.number() });

/** Drops a customer's name, and the name and phone number of each of their places. Returns how many rows of both. */
export const eraseCustomer = (tx: Transaction, customerId: string): Promise<z.output<typeof Erased>> =>
  tx.one(sql.prepared('erase-customer', Erased)`
    with named as (delete from customer where id = ${customerId} returning 1),
    places as (
      update entry set guest_name = null, guest_phone = null
      where customer_id = ${customerId} and (guest_name is not null or guest_phone is not null) returning 1)
    select (select count(*) from places) as entries, (select count(*) from named) as names`);

/** What the queue holds of a customer, for an export. */
export const exportedSections: CustomerData<unknown>['sections'] = [
  {
    name: 'name',
    rows: (id) => sql.fragment`select id::text as key, jsonb_build_object('name', name) as row from customer where id = ${id}`,
  },
  {
    name: 'places in queues',
    rows: (id) => sql.fragment`
      select ${instantOf(sql.fragment`joined_at`)} || id::text as key, jsonb_build_object(
        'store_id', store_id, 'status', status, 'party_size', party_size, 'joined_at', joined_at, 'called_at', called_at, 'ended_at', ended_at,
        'quoted_wait_min', quoted_wait_min, 'service_id', service_id, 'preferred_unit_id', preferred_unit_id, 'name', guest_name,
        'phone', guest_phone) as row
      from entry where customer_id = ${id}`,
  },
];
