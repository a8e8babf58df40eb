import { dataSchemaOf, Envelope } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import { currentLogFields, type Log, withLogFields } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import { continuing, freshTrace, inSpan, linkTo, SpanKind } from '../telemetry/telemetry.ts';
import type { OwnDeadLetters } from './dead-letters.ts';
import type { EventHandlers } from './event-handler.ts';

/** An event as it came, parsed as far as its envelope. */
export interface IncomingEvent {
  readonly envelope: Envelope;
  readonly redelivered: boolean;
}

/** Parses what came; throws when it is not one of our envelopes. */
export const parseEnvelope = (payload: string): Envelope => Envelope.parse(JSON.parse(payload));

export interface InboxOptions<Context> {
  readonly database: Database;
  readonly eventHandlers: EventHandlers<Context>;
  readonly context: Context;
  readonly log: Log;
  readonly ownDeadLetters?: OwnDeadLetters<Context>;
}

/**
 * Works a batch of events through in one transaction: their ids go into the inbox, and the reactions run for those ids
 * that are new. Whoever calls acknowledges after it returns, never before.
 */
export async function consume<Context>(options: InboxOptions<Context>, batch: readonly IncomingEvent[]): Promise<void> {
  const processed = await options.database.transaction(async (tx) => {
    const fresh = await recordProcessed(tx, batch);
    const news = batch.filter(({ envelope }) => fresh.delete(envelope.id));
    for (const heard of news) await react(options, tx, heard);
    return news;
  });
  for (const { envelope } of processed) {
    const sincePublished = (Date.now() - Date.parse(envelope.time)) / 1000;
    measure('corner.event.delay', Math.max(0, sincePublished), { 'corner.event.type': envelope.type });
  }
}

const Recorded = z.object({ event_id: z.string() });

async function recordProcessed(tx: Transaction, batch: readonly IncomingEvent[]): Promise<Set<string>> {
  // Sorted, so that two readers of overlapping batches wait for each other instead of deadlocking.
  const events = [...new Map(batch.map(({ envelope }) => [envelope.id, envelope.type])).entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = await tx.any(sql.prepared('record-heard', Recorded)`
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
 * Runs every reaction to the event, or the one named `only`, in its own span: the first delivery continues the teller's
 * trace, a repeat only links to it.
 */
export async function react<Context>(
  { eventHandlers, context, log }: InboxOptions<Context>,
  tx: Transaction,
  { envelope, redelivered }: IncomingEvent,
  only?: string,
): Promise<void> {
  const ours = Object.entries(eventHandlers).filter(
    ([name, { event }]) => event.type === envelope.type && (only === undefined || name === only),
  );
  if (ours.length === 0) return;
  if (!ours.some(([, { event }]) => dataSchemaOf(event) === envelope.dataschema))
    throw new Error(`no reaction understands ${envelope.dataschema}`);
  const span = redelivered ? { parent: freshTrace(), links: linkTo(envelope.traceparent) } : { parent: continuing(envelope.traceparent) };
  const fields = {
    event_id: envelope.id,
    ...(envelope.correlationid ? { request_id: envelope.correlationid } : {}),
    ...(envelope.storeid ? { store_id: envelope.storeid } : {}),
  };
  await inSpan(`process ${envelope.type}`, { kind: SpanKind.CONSUMER, attributes: { 'messaging.message.id': envelope.id }, ...span }, () =>
    withLogFields({ ...currentLogFields(), ...fields }, async () => {
      for (const [name, { event, run }] of ours) {
        if (dataSchemaOf(event) !== envelope.dataschema) continue;
        await measured(name, () => run({ ...envelope, data: event.data.parse(envelope.data) } as never, tx, context));
        log.info({ handler: name, type: envelope.type, redelivered }, 'event processed');
      }
    }),
  );
}

async function measured(handler: string, run: () => Promise<void>): Promise<void> {
  const begunAt = performance.now();
  let outcome = 'failed';
  try {
    await run();
    outcome = 'ok';
  } finally {
    measure('messaging.process.duration', (performance.now() - begunAt) / 1000, {
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
  const of = (state: string) => rows.filter((row) => row.state === state).map(({ event_id }) => event_id);
  return { processed: of('done'), dead_lettered: of('dead') };
}
