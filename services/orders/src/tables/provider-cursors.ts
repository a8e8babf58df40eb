import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** The lists of the payment provider that are read to their end again and again; that of events once more, ten minutes later. */
export type CursorName = 'events' | 'late_events' | 'movements';

/** Reads until when a list of the provider has been read; null when it never was. */
export async function findCursor(queries: Queries, name: CursorName): Promise<Date | null> {
  const readUntil = await queries.maybeOneFirst(sql.prepared('find-provider-cursor', z.object({ read_until: z.string() }))`
    select ${instantOf(sql.fragment`read_until`)} as read_until from provider_cursor where name = ${name}`);
  return readUntil === null ? null : new Date(readUntil);
}

/** Moves a cursor forward. A replica that read less far than another moves nothing. */
export async function moveCursor(tx: Transaction, name: CursorName, readUntil: Date): Promise<void> {
  await tx.query(sql.prepared('move-provider-cursor', z.object({}))`
    insert into provider_cursor (name, read_until) values (${name}, ${readUntil.toISOString()})
    on conflict (name) do update set read_until = greatest(provider_cursor.read_until, excluded.read_until)`);
}
