import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Device = z.object({ id: z.string(), platform: z.enum(['ios', 'android', 'web']) });

/** Where a customer, or a contact of a store, can be reached. */
export const Addresses = z.object({ email: z.string().nullable(), phone: z.string().nullable(), devices: z.array(Device) });
export type Addresses = z.output<typeof Addresses>;

/** The addresses of a row of `customer` or `contact` called c: devices in the directory's order, without those that are gone. */
export const addressColumns = sql.fragment`
  nullif(c.email, '') as email, nullif(c.phone, '') as phone,
  coalesce((
    select jsonb_agg(d.device order by d.place)
    from jsonb_array_elements(c.push_devices) with ordinality as d (device, place)
    where not exists (select 1 from gone_device g where g.customer_id = c.id and g.device_id = d.device ->> 'id')
  ), '[]'::jsonb) as devices`;

/** Reads where a customer can be reached. An unknown customer has no addresses. */
export const selectAddresses = async (database: Queries, customerId: string): Promise<Addresses> =>
  (await database.maybeOne(
    sql.prepared('select-addresses', Addresses)`select ${addressColumns} from customer c where c.id = ${customerId}`,
  )) ?? { email: null, phone: null, devices: [] };

/** Records that a provider no longer knows a device of a customer, or of a contact of a store. */
export async function markDeviceGone(database: Queries, ownerId: string, deviceId: string, now: Date): Promise<void> {
  await database.query(sql.prepared('mark-device-gone', z.object({}))`
    insert into gone_device (customer_id, device_id, gone_at) values (${ownerId}, ${deviceId}, ${now.toISOString()})
    on conflict do nothing`);
}
