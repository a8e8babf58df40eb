import { NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { type DataOf, type directoryCustomer, type directoryStore, languages } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ContactAddresses } from '../rules/channels.ts';

const Device = z.object({
  id: z.string(),
  platform: z.enum(['ios', 'android', 'web']),
  keys: z.object({ p256dh: z.string(), auth: z.string() }).nullish(),
});

export const Addresses = z.object({ email: z.string().nullable(), phone: z.string().nullable(), devices: z.array(Device) });
export type Addresses = z.output<typeof Addresses>;

/**
 * The addresses of a row of `customer` or `contact` called c: the directory's devices in its order, without those that are gone, then those
 * that the customer has linked. `linkedBy` is the customer's id, also when the directory does not know them.
 */
export const addressesSql = (linkedBy: FragmentSqlToken) => sql.fragment`
  nullif(c.email, '') as email, nullif(c.phone, '') as phone,
  coalesce((
    select jsonb_agg(d.device order by d.place, d.device ->> 'id') from (
      select n.device, n.place
      from jsonb_array_elements(c.push_devices) with ordinality as n (device, place)
      where not exists (select 1 from gone_device g where g.customer_id = c.id and g.device_id = n.device ->> 'id')
      union all
      select jsonb_build_object('id', l.address, 'platform', l.platform, 'keys', l.keys), null
      from device l where l.customer_id = ${linkedBy}
    ) d
  ), '[]'::jsonb) as devices`;

const CustomerAddresses = Addresses.extend({ email_verified: z.boolean() });

export const selectAddresses = (database: Queries, customerId: string): Promise<z.output<typeof CustomerAddresses>> =>
  database.one(sql.prepared('select-addresses', CustomerAddresses)`
    select coalesce(c.email_verified, true) as email_verified, ${addressesSql(sql.fragment`asked.id`)}
    from (select ${customerId}::uuid as id) asked left join customer c on c.id = asked.id`);

/** Upserts a newer snapshot of a customer. Forgets gone devices that it no longer names, so that one can come back. */
export async function saveCustomer(tx: Queries, customer: DataOf<typeof directoryCustomer>): Promise<void> {
  await tx.query(sql.prepared('upsert-customer', NoColumns)`
    with upserted as (
      insert into customer (id, version, name, email, email_verified, push_devices, language, phone)
      values (${customer.id}, ${customer.version}, ${customer.name}, ${customer.email}, ${customer.email_verified !== false},
        ${sql.jsonb(customer.push_devices)}, ${customer.language}, ${customer.phone})
      on conflict (id) do update
      set version = excluded.version,
          name = excluded.name,
          email = excluded.email,
          email_verified = excluded.email_verified,
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

/** Replaces the contacts of a store; one whose first address is unchanged keeps its id. Forgets gone devices that are no longer named. */
export async function replaceContacts(tx: Transaction, storeId: string, contacts: readonly ContactAddresses[]): Promise<void> {
  const rows = sql.jsonb(contacts.map((contact) => ({ ...contact, push_devices: [...contact.push_devices] })));
  await tx.query(sql.prepared('replace-contacts', NoColumns)`
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

export const selectContacts = (tx: Queries, storeId: string): Promise<readonly Contact[]> =>
  tx.any(sql.prepared('select-contacts', Contact)`
    select c.id, ${addressesSql(sql.fragment`null::uuid`)} from contact c where c.store_id = ${storeId} order by c.id`);

/** Returns whether the snapshot was newer than the stored one; an older one changes nothing. */
export async function saveStore(tx: Queries, store: DataOf<typeof directoryStore>): Promise<boolean> {
  const { id, version, name, time_zone, currency, language, vat_number, contacts } = store;
  const contactEmail = contacts.find(({ email }) => email !== null)?.email ?? null;
  const { rowCount } = await tx.query(sql.prepared('upsert-store', NoColumns)`
    insert into store (id, version, name, time_zone, currency, language, vat_number, contact_email)
    values (${id}, ${version}, ${name}, ${time_zone}, ${currency}, ${language}, ${vat_number}, ${contactEmail})
    on conflict (id) do update
    set version = excluded.version,
        name = excluded.name,
        time_zone = excluded.time_zone,
        currency = excluded.currency,
        language = excluded.language,
        vat_number = excluded.vat_number,
        contact_email = excluded.contact_email
    where store.version < excluded.version`);
  return rowCount > 0;
}

const Subscriber = z.object({ store_name: z.string(), language: z.enum(languages), switched_on: z.record(z.string(), z.number()) });

/**
 * The language is the customer's, else the store's; `switched_on` is by name the event's sequence at which a preference was last switched
 * on. Null for an unknown store, and for a customer who was erased.
 */
export const selectSubscriber = (
  database: Queries,
  { customerId, storeId }: { readonly customerId: string; readonly storeId: string },
): Promise<z.output<typeof Subscriber> | null> =>
  database.maybeOne(sql.prepared('select-subscriber', Subscriber)`
    select s.name as store_name, coalesce(c.language, s.language) as language, coalesce(a.switched_on, '{}') as switched_on
    from store s
    left join customer c on c.id = ${customerId}
    left join marketing_ask a on a.customer_id = ${customerId} and a.store_id = s.id
    where s.id = ${storeId} and not exists (select from erased_customer where customer_id = ${customerId})`);

export const selectLanguage = (database: Queries, customerId: string): Promise<z.output<typeof LanguageRow>['language']> =>
  database.oneFirst(sql.prepared('select-language', LanguageRow)`
    select (select language from customer where id = ${customerId}) as language`);
const LanguageRow = z.object({ language: z.enum(languages).nullable() });
