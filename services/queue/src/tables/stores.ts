import type { Queries } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Inserts a store or replaces an older version of it. A version that is not newer changes nothing. */
export async function upsertStore(queries: Queries, store: StoreRow): Promise<void> {
  await queries.query(sql.prepared('upsert-store', z.object({}))`
    insert into store (id, version, name, time_zone, hours, live, walk_ins_accepted, called_hold_minutes)
    values (
      ${store.id}, ${store.version}, ${store.name}, ${store.time_zone}, ${sql.jsonb(store.hours)}, ${store.live},
      ${store.walk_ins_accepted}, ${store.called_hold_minutes}
    )
    on conflict (id) do update
    set version = excluded.version,
        name = excluded.name,
        time_zone = excluded.time_zone,
        hours = excluded.hours,
        live = excluded.live,
        walk_ins_accepted = excluded.walk_ins_accepted,
        called_hold_minutes = excluded.called_hold_minutes
    where store.version < excluded.version`);
}

interface StoreRow extends Omit<DataOf<typeof directoryStore>, 'status'> {
  readonly live: boolean;
}
