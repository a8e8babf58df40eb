import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

export interface DeviceRegistration {
  readonly deviceId: string;
  readonly serial: string;
  readonly pushToken: string;
}

/**
 * Registers a device for a pass's changes. Returns whether the registration is new. The pass may have changed since the device downloaded
 * it, so a new device is pushed once.
 */
export async function insertDevice(database: Queries, { deviceId, serial, pushToken }: DeviceRegistration, now: Date): Promise<boolean> {
  return await database.oneFirst(sql.prepared('insert-device', z.object({ is_new: z.boolean() }))`
    with registered as (
      insert into pass_device (device_id, serial, push_token) values (${deviceId}, ${serial}, ${pushToken})
      on conflict (device_id, serial) do update set push_token = excluded.push_token
      returning serial, old.serial is null as is_new
    ),
    marked as (
      update pass set changed_at = coalesce(pass.changed_at, ${now.toISOString()})
      from registered
      where pass.serial = ${serial} and registered.is_new
    )
    select is_new from registered`);
}

/** Ends a device's registration for a pass. */
export async function deleteDevice(database: Queries, deviceId: string, serial: string): Promise<void> {
  await database.query(sql.prepared('delete-device', none)`
    delete from pass_device where device_id = ${deviceId} and serial = ${serial}`);
}

const ChangedPass = z.object({ serial: z.string(), update_tag: z.number() });

/** The passes of a device whose update tag is higher than `since`, and the highest of these tags. */
export async function selectChangedPasses(
  database: Queries,
  deviceId: string,
  since: number,
): Promise<{ readonly serials: readonly string[]; readonly newestTag: number }> {
  const rows = await database.any(sql.prepared('select-changed-passes', ChangedPass)`
    select p.serial, p.update_tag
    from pass_device d join pass p using (serial)
    where d.device_id = ${deviceId} and p.update_tag > ${since}
    order by p.update_tag`);
  return { serials: rows.map(({ serial }) => serial), newestTag: rows.at(-1)?.update_tag ?? since };
}

/** The push tokens of the devices that are registered for a pass. */
export const selectPushTokens = (database: Queries, serial: string): Promise<readonly string[]> =>
  database.anyFirst(sql.prepared('select-push-tokens', z.object({ push_token: z.string() }))`
    select distinct push_token from pass_device where serial = ${serial}`);

/** Deletes devices that no longer exist, for all their passes. */
export async function deletePushTokens(database: Queries, pushTokens: readonly string[]): Promise<void> {
  await database.query(sql.prepared('delete-push-tokens', none)`
    delete from pass_device where push_token = any(${sql.array([...pushTokens], 'text')})`);
}
