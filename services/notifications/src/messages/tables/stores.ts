import type { Queries } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Upserts a store's snapshot unless the stored version is as new. */
export async function saveStore(tx: Queries, { id, version, name, time_zone, currency }: DataOf<typeof directoryStore>): Promise<void> {
  await tx.query(sql.prepared('upsert-store', z.object({}))`
    insert into store (id, version, name, time_zone, currency)
    values (${id}, ${version}, ${name}, ${time_zone}, ${currency})
    on conflict (id) do update
    set version = excluded.version,
        name = excluded.name,
        time_zone = excluded.time_zone,
        currency = excluded.currency
    where store.version < excluded.version`);
}
