import { dataSchemaOf, Envelope } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import { currentLogFields, type Log, withLogFields } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import { continuing, freshTrace, inSpan, linkTo, SpanKind } from '../telemetry/telemetry.ts';
import type { EventHandlers } from './event-handler.ts';

/** An event as it arrived, parsed as far as its envelope. */
export interface IncomingEvent {
  readonly envelope: Envelope;
  /** True for a redelivery, a retry and a replay. */
  readonly redelivered: boolean;
}

export interface InboxOptions<Context> {
  readonly database: Database;
  readonly eventHandlers: EventHandlers<Context>;
  readonly context: Context;
  readonly log: Log;
}

/** Parses a message's payload. Throws a SyntaxError or a ZodError when it is not an event envelope. */
export const parseEnvelope = (payload: string): Envelope => Envelope.parse(JSON.parse(payload));

/**
 * Processes a batch of events in one transaction: records their ids in the inbox and runs the handlers for those ids that are new. The
 * caller acknowledges the messages after it returns, never before.
 */
export async function consume<Context>(options: InboxOptions<Context>, batch: readonly IncomingEvent[]): Promise<void> {
  const processed = await options.database.transaction(async (tx) => {
    const newIds = await recordProcessed(tx, batch);
    // `delete` is true once for each id, so an event that is in the batch twice is processed once.
    const newEvents = batch.filter(({ envelope }) => newIds.delete(envelope.id));
    for (const incoming of newEvents) await runEventHandlers(options, tx, incoming);
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

/**
 * Runs every handler of the event, or only the one named `only`, in a span of its own. A first delivery continues the producer's trace;
 * a repeat starts a trace and links to it. Throws when handlers of this type exist and none takes this version.
 */
export async function runEventHandlers<Context>(
  { eventHandlers, context, log }: InboxOptions<Context>,
  tx: Transaction,
  { envelope, redelivered }: IncomingEvent,
  only?: string,
): Promise<void> {
  const handlers = Object.entries(eventHandlers).filter(
    ([name, { event }]) => event.type === envelope.type && (only === undefined || name === only),
  );
  if (handlers.length === 0) return;
  if (!handlers.some(([, { event }]) => dataSchemaOf(event) === envelope.dataschema))
    throw new Error(`no event handler takes ${envelope.dataschema}`);
  const span = redelivered ? { parent: freshTrace(), links: linkTo(envelope.traceparent) } : { parent: continuing(envelope.traceparent) };
  const fields = {
    event_id: envelope.id,
    ...(envelope.correlationid ? { request_id: envelope.correlationid } : {}),
    ...(envelope.storeid ? { store_id: envelope.storeid } : {}),
  };
  await inSpan(`process ${envelope.type}`, { kind: SpanKind.CONSUMER, attributes: { 'messaging.message.id': envelope.id }, ...span }, () =>
    withLogFields({ ...currentLogFields(), ...fields }, async () => {
      for (const [name, { event, run }] of handlers) {
        if (dataSchemaOf(event) !== envelope.dataschema) continue;
        await measured(name, () => run({ ...envelope, data: event.data.parse(envelope.data) } as never, tx, context));
        log.info({ handler: name, type: envelope.type, redelivered }, 'event processed');
      }
    }),
  );
}

async function measured(handler: string, run: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  let outcome = 'failed';
  try {
    await run();
    outcome = 'ok';
  } finally {
    measure('messaging.process.duration', (performance.now() - startedAt) / 1000, {
      'corner.event.handler': handler,
      'corner.outcome': outcome,
    });
  }
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
