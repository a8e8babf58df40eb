import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Seat } from '../rules/wait/seat-parties.ts';
import type { Entry } from './entries.ts';

/** Inserts the seats of an entry, all under one appointment. */
export async function insertSeats(queries: Queries, appointmentId: string, { id, store_id }: Entry, seats: readonly Seat[]): Promise<void> {
  const rows = seats.map(({ chairId, from, to }) => [chairId, new Date(from).toISOString(), new Date(to).toISOString()]);
  await queries.query(sql.prepared('insert-seats', z.object({}))`
    insert into seat (appointment_id, entry_ref, store_id, unit_id, starts_at, ends_at)
    select ${appointmentId}::uuid, ${id}::uuid, ${store_id}::uuid, unit_id, starts_at, ends_at
    from ${sql.unnest(rows, ['uuid', 'timestamptz', 'timestamptz'])} as seats (unit_id, starts_at, ends_at)`);
}
