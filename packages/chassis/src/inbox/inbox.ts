import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import { measure } from '../telemetry/metrics.ts';
import type { InboxOptions, IncomingEvent } from './incoming-event.ts';
import { runEventHandlers } from './run-event-handlers.ts';

/**
 * Processes a batch of events in one transaction: records their ids in the inbox and runs the handlers for those ids that are new. The
 * caller acknowledges the messages after it returns, never before.
 */
export async function consume<Context>(options: InboxOptions<Context>, batch: readonly IncomingEvent[]): Promise<void> {
  const processed = await options.database.transaction(async (tx) => {
    const newIds = await recordProcessed(tx, batch);
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

/** Records the events' ids and returns those that were not in the inbox before. */
async function recordProcessed(tx: Transaction, batch: readonly IncomingEvent[]): Promise<Set<string>> {
  // Sorted by id, so that two consumers of overlapping batches wait for each other instead of deadlocking.
  const events = [...new Map(batch.map(({ envelope }) => [envelope.id, envelope.type])).entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = await tx.any(sql.prepared('record-processed', z.object({ event_id: z.string() }))`
    insert into inbox (event_id, type)
    select * from unnest(${sql.array(
      events.map(([id]) => id),
      'uuid',
    )}, ${sql.array(
      events.map(([, type]) => type),
      'text',
    )})
    on conflict do nothing
    returning event_id`);
  return new Set(rows.map(({ event_id }) => event_id));
}

/** Returns which of the given events have been processed here, and which have become dead letters. */
export async function processedAmong(
  database: Database,
  eventIds: readonly string[],
): Promise<{ processed: string[]; dead_lettered: string[] }> {
  const rows = await database.any(sql.type(z.object({ event_id: z.string(), state: z.enum(['done', 'dead']) }))`
    select event_id, state from inbox where event_id = any(${sql.array([...eventIds], 'uuid')})`);
  const idsIn = (state: string) => rows.filter((row) => row.state === state).map(({ event_id }) => event_id);
  return { processed: idsIn('done'), dead_lettered: idsIn('dead') };
}
