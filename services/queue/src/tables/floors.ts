import type { Queries } from '@corner/chassis';
import type { DataOf, directoryFloor } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Inserts a store's chairs and services or replaces an older version of them. A version that is not newer changes nothing. */
export async function upsertFloor(queries: Queries, floor: DataOf<typeof directoryFloor>): Promise<void> {
  await queries.query(sql.prepared('upsert-floor', z.object({}))`
    insert into floor (store_id, version, services, units)
    values (${floor.store_id}, ${floor.version}, ${sql.jsonb(floor.services)}, ${sql.jsonb(floor.units)})
    on conflict (store_id) do update
    set version = excluded.version,
        services = excluded.services,
        units = excluded.units
    where floor.version < excluded.version`);
}
