import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import { measure } from '../telemetry/metrics.ts';
import { heldLease, LostLease } from './consumer-lease.ts';
import type { ConsumeOptions, IncomingEvent } from './incoming-event.ts';
import { runEventHandlers } from './run-event-handlers.ts';
import { recordSnapshots } from './snapshot-versions.ts';

/**
 * Processes a batch of events in one transaction: records their ids and runs the handlers of the new ones. Acknowledge only after it
 * returns. Throws a LostLease.
 */
export async function consume<Context>(options: ConsumeOptions<Context>, batch: readonly IncomingEvent[]): Promise<void> {
  const processed = await options.database.transaction(async (tx) => {
    const newIds = await recordProcessed(tx, batch, options.lease);
    // `delete` is true once for each id, so an event that is in the batch twice is processed once.
    const newEvents = batch.filter(({ envelope }) => newIds.delete(envelope.id));
    await runEventHandlers(options, tx, newEvents);
    return newEvents;
  });
  for (const { envelope } of processed) {
    const sincePublished = (Date.now() - Date.parse(envelope.time)) / 1000;
    measure('corner.event.delay', Math.max(0, sincePublished), { 'corner.event.type': envelope.type });
  }
}

const Recorded = z.object({ event_id: z.string().nullable(), is_new: z.boolean().nullable() });

/** Returns the ids of the new events. A known event under another number takes it: its producer has renumbered it. */
async function recordProcessed(tx: Transaction, batch: readonly IncomingEvent[], lease: string): Promise<Set<string>> {
  // Sorted by id, so that two consumers of overlapping batches cannot deadlock.
  const events = [...new Map(batch.map((event) => [event.envelope.id, event])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, event]) => event);
  const column = (values: readonly (string | number | null)[], type: string) => sql.array(values, type);
  const rows = await tx.any(sql.prepared('record-processed', Recorded)`
    with held as (${heldLease(lease)}), recorded as (
    insert into inbox (event_id, type, producer, number)
    select asked.* from held, unnest(
      ${column(
        events.map(({ envelope }) => envelope.id),
        'uuid',
      )},
      ${column(
        events.map(({ envelope }) => envelope.type),
        'text',
      )},
      ${column(
        events.map(({ numbered }) => numbered?.producer ?? null),
        'text',
      )},
      ${column(
        events.map(({ numbered }) => numbered?.number ?? null),
        'int8',
      )}) as asked
    on conflict (event_id) do update set producer = excluded.producer, number = excluded.number
    where excluded.number is not null and inbox.number is distinct from excluded.number
    returning event_id, xmax = 0 as is_new)
    select event_id, is_new from held left join recorded on true`);
  if (rows.length === 0) throw new LostLease();
  await recordSnapshots(tx, events);
  return new Set(rows.flatMap(({ event_id, is_new }) => (event_id !== null && is_new ? [event_id] : [])));
}

export async function processedAmong(
  database: Database,
  eventIds: readonly string[],
): Promise<{ processed: string[]; dead_lettered: string[] }> {
  const rows = await database.any(sql.type(z.object({ event_id: z.string(), state: z.enum(['done', 'dead']) }))`
    select event_id, state from inbox where event_id = any(${sql.array([...eventIds], 'uuid')})`);
  const idsIn = (state: string) => rows.filter((row) => row.state === state).map(({ event_id }) => event_id);
  return { processed: idsIn('done'), dead_lettered: idsIn('dead') };
}
