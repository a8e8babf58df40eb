import type { Queries } from '@corner/chassis';
import type { DataOf, directoryBooking } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Inserts a booking or replaces an older version of it. A version that is not newer changes nothing. */
export async function upsertBooking(queries: Queries, booking: DataOf<typeof directoryBooking>): Promise<void> {
  await queries.query(sql.prepared('upsert-booking', z.object({}))`
    insert into booking (id, version, store_id, unit_id, starts_at, ends_at, state)
    values (
      ${booking.id}, ${booking.version}, ${booking.store_id}, ${booking.unit_id},
      ${booking.starts_at}::timestamptz, ${booking.ends_at}::timestamptz, ${booking.state}
    )
    on conflict (id) do update
    set version = excluded.version,
        store_id = excluded.store_id,
        unit_id = excluded.unit_id,
        starts_at = excluded.starts_at,
        ends_at = excluded.ends_at,
        state = excluded.state
    where booking.version < excluded.version`);
}
