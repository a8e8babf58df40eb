import { instantOf, NoColumns, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** `address` is the app's token, or the endpoint of a browser's subscription. The encryption keys are null for a token. */
export interface LinkedDevice {
  readonly id: string;
  readonly customerId: string;
  readonly platform: 'ios' | 'android' | 'web';
  readonly address: string;
  readonly keys: { readonly p256dh: string; readonly auth: string } | null;
  readonly name: string | null;
  readonly now: Date;
}

const devicesAtMost = 10;

/**
 * A known address keeps its id, and moves to this customer. Drops the customer's oldest devices beyond ten; two concurrent requests may
 * leave more until the next one. Returns the device's id.
 */
export const upsertDevice = (database: Queries, { id, customerId, platform, address, keys, name, now }: LinkedDevice): Promise<string> =>
  database.oneFirst(sql.prepared('upsert-device', z.object({ id: z.string() }))`
    with dropped as (
      delete from device d
      where d.customer_id = ${customerId} and d.id = any(array(
        select o.id from device o where o.customer_id = ${customerId} and o.address <> ${address}
        order by o.linked_at desc, o.id desc offset ${devicesAtMost - 1}))
    )
    insert into device as d (id, customer_id, platform, address, keys, name, linked_at)
    values (${id}, ${customerId}, ${platform}, ${address}, nullif(${sql.jsonb(keys && { ...keys })}, 'null'), ${name}, ${now.toISOString()})
    on conflict (address) do update
    set customer_id = excluded.customer_id, platform = excluded.platform, keys = excluded.keys, linked_at = excluded.linked_at,
        name = case when d.customer_id = excluded.customer_id then coalesce(excluded.name, d.name) else excluded.name end
    returning id`);

const DeviceRow = z.object({
  device_id: z.string(),
  platform: z.enum(['ios', 'android', 'web']),
  name: z.string().nullable(),
  linked_at: z.string(),
});

export const selectDevices = (database: Queries, customerId: string): Promise<readonly z.output<typeof DeviceRow>[]> =>
  database.any(sql.prepared('select-devices', DeviceRow)`
    select id as device_id, platform, name, ${instantOf(sql.fragment`linked_at`)} as linked_at
    from device where customer_id = ${customerId} order by device.linked_at desc, id desc`);

export async function deleteDevice(database: Queries, customerId: string, id: string): Promise<void> {
  await database.query(sql.prepared('delete-device', NoColumns)`
    delete from device where id = ${id} and customer_id = ${customerId}`);
}

/**
 * Records that a provider no longer knows a device of a customer, or of a contact of a store. A linked one is dropped; one that the
 * directory names is not used until a snapshot no longer names it.
 */
export async function markDeviceGone(database: Queries, ownerId: string, address: string, now: Date): Promise<void> {
  await database.query(sql.prepared('mark-device-gone', NoColumns)`
    with unlinked as (delete from device where address = ${address} and customer_id = ${ownerId} returning id)
    insert into gone_device (customer_id, device_id, gone_at)
    select ${ownerId}, ${address}, ${now.toISOString()} where not exists (select from unlinked)
    on conflict do nothing`);
}
