import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

/**
 * Has a device told of a pass’s changes from now on. Answers whether that is new. The pass may have changed since it was downloaded:
 * a new device is told to look, once.
 */
export async function registerDevice(
  database: Queries,
  { deviceId, serial, pushToken }: { readonly deviceId: string; readonly serial: string; readonly pushToken: string },
  at: Date,
): Promise<boolean> {
  const { fresh } = await database.one(sql.prepared('register-device', z.object({ fresh: z.boolean() }))`
    with registered as (
      insert into pass_device (device_id, serial, push_token) values (${deviceId}, ${serial}, ${pushToken})
      on conflict (device_id, serial) do update set push_token = excluded.push_token
      returning serial, old.serial is null as fresh
    ),
    marked as (
      update pass set changed_at = coalesce(pass.changed_at, ${at.toISOString()})
      from registered
      where pass.serial = registered.serial and registered.fresh
    )
    select fresh from registered`);
  return fresh;
}

/** Has a device told no more. */
export async function unregisterDevice(database: Queries, deviceId: string, serial: string): Promise<void> {
  await database.query(sql.prepared('unregister-device', none)`
    delete from pass_device where device_id = ${deviceId} and serial = ${serial}`);
}

const Listed = z.object({ serial: z.string(), updated_seq: z.number() });

/** The device’s passes whose last change was told after `since`, and the number of the newest telling among them. */
export async function changedSince(
  database: Queries,
  deviceId: string,
  since: number,
): Promise<{ readonly serials: readonly string[]; readonly newest: number }> {
  const rows = await database.any(sql.prepared('passes-changed-since', Listed)`
    select p.serial, p.updated_seq
    from pass_device d join pass p using (serial)
    where d.device_id = ${deviceId} and p.updated_seq > ${since}
    order by p.updated_seq`);
  return { serials: rows.map(({ serial }) => serial), newest: rows.at(-1)?.updated_seq ?? since };
}

/** The push tokens that are told of a pass. */
export const devicesOf = (database: Queries, serial: string): Promise<readonly string[]> =>
  database.anyFirst(sql.prepared('devices-of-pass', z.object({ push_token: z.string() }))`
    select distinct push_token from pass_device where serial = ${serial}`);

/** Forgets devices that are no more, for all their passes. */
export async function dropTokens(database: Queries, pushTokens: readonly string[]): Promise<void> {
  await database.query(sql.prepared('drop-push-tokens', none)`
    delete from pass_device where push_token = any(${sql.array([...pushTokens], 'text')})`);
}
