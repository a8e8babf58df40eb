import type { Queries } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Keeps a store's snapshot unless one as new is kept already. */
export async function keepStore(tx: Queries, { id, version, name, time_zone, currency }: DataOf<typeof directoryStore>): Promise<void> {
  await tx.query(sql.prepared('keep-store', z.object({}))`
    insert into store (id, version, name, time_zone, currency)
    values (${id}, ${version}, ${name}, ${time_zone}, ${currency})
    on conflict (id) do update
    set version = excluded.version,
        name = excluded.name,
        time_zone = excluded.time_zone,
        currency = excluded.currency
    where store.version < excluded.version`);
}
