import type { FactInput } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { instantOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import type { Shown } from './record-read.ts';

/**
 * The records under some ids, and further ids that may have more. The customer and the store of each fact are recorded as read, and not
 * returned.
 */
export interface Explained {
  readonly facts: readonly (FactInput & Shown)[];
  readonly also: readonly string[];
}

const maxRows = 200;

export async function explainBackbone(database: Database, service: string, ids: readonly string[]): Promise<Explained> {
  const { published, processed, deadLetters, replayed, refusals, keyed } = await readRecords(database, ids);
  const facts = [
    ...published.map((row) => ({
      ...about(row),
      sentence: `${service} published ${row.type} of ${row.aggregate_id}${describeCause(row)}.`,
      request_id: row.correlation_id,
      trace_id: row.trace_id,
      of: row.aggregate_id,
      store_id: row.store_id,
      customer_id: row.customer_id,
    })),
    ...processed.map((row) => ({ ...about(row), sentence: `${service} processed ${row.type}.` })),
    ...deadLetters.flatMap((row) => [
      { ...about(row), sentence: `${service} gave up ${row.type} after ${attempts(row.attempts)} and wrote a dead letter: ${row.error}` },
      ...(row.settled_at ? [{ ...about(row), at: row.settled_at, sentence: describeSettlement(service, row) }] : []),
    ]),
    ...replayed.map((row) => ({
      ...about(row),
      sentence: `${row.by} replayed ${row.type} to ${row.handler ?? 'every event handler'} of ${service}: ${row.outcome}${row.detail ? `, ${row.detail}` : ''}.`,
    })),
    ...refusals.map((row) => ({
      at: row.at,
      sentence: `${service} responded to ${row.operation} with ${row.status} ${row.code}: ${row.message}`,
      request_id: row.request_id,
      trace_id: row.trace_id,
      of: row.order_id,
    })),
    ...keyed.map((row) => ({
      at: row.at,
      sentence:
        row.state === 'running'
          ? `${service} began ${row.operation} under this Idempotency-Key and has not responded yet.`
          : `${service} began ${row.operation} under this Idempotency-Key, responded ${row.status}, and gives a repeat the same response.`,
    })),
  ];
  return { facts, also: [...new Set(published.map(({ event_id }) => event_id))] };
}

/** Reads each table by an index. Only a UUID can name an event, an order or a store. */
async function readRecords(database: Database, ids: readonly string[]) {
  const names = sql.array([...ids], 'text');
  const uuids = sql.array(ids.filter(isUuid), 'uuid');
  const published = await database.any(sql.prepared('explain-published', PublishedEvent)`
    select event_id, type, aggregate_id, store_id, customer_id, correlation_id, causation_id, split_part(traceparent, '-', 2) as trace_id,
      ${instantOf(sql.fragment`created_at`)} as at
    from outbox
    where correlation_id = any(${names}) or causation_id = any(${names}) or event_id = any(${uuids}) or aggregate_id = any(${names})
      or split_part(traceparent, '-', 2) = any(${names})
    order by id desc limit ${maxRows}`);
  const processed = await database.any(sql.prepared('explain-processed', ProcessedEvent)`
    select i.event_id, i.type, ${instantOf(sql.fragment`i.processed_at`)} as at from inbox i
    where i.event_id = any(${uuids}) and not exists (select 1 from dead_letter d where d.event_id = i.event_id)`);
  const deadLetters = await database.any(sql.prepared('explain-dead-letters', DeadLetter)`
    select event_id, type, error, attempts, settled_as, settled_by, settled_reason,
      ${instantOf(sql.fragment`dead_lettered_at`)} as at, ${instantOf(sql.fragment`settled_at`)} as settled_at
    from dead_letter where event_id = any(${uuids})`);
  const replayed = await database.any(sql.prepared('explain-replayed', ReplayedEvent)`
    with found as materialized (select * from replayed_event where event_id = any(${uuids}))
    select e.event_id, e.type, e.outcome, e.detail, r.by, r.handler, ${instantOf(sql.fragment`e.at`)} as at
    from found e join replay r on r.id = e.replay_id
    order by e.at desc limit ${maxRows}`);
  // Sorted after the search, since the newest refusals of all may be none of these.
  const refusals = await database.any(sql.prepared('explain-refusals', Refusal)`
    with found as materialized (
      select * from refusal
      where request_id = any(${names}) or order_id = any(${uuids}) or store_id = any(${uuids}) or trace_id = any(${names})
    )
    select request_id, operation, status, code, message, order_id, trace_id, ${instantOf(sql.fragment`at`)} as at from found
    order by id desc limit ${maxRows}`);
  const keyed = await database.any(sql.prepared('explain-keyed-requests', KeyedRequest)`
    select operation, state, status, ${instantOf(sql.fragment`created_at`)} as at from idempotency_key where key = any(${names}) limit ${maxRows}`);
  return { published, processed, deadLetters, replayed, refusals, keyed };
}

const isUuid = (id: string): boolean => z.guid().safeParse(id).success;

const about = ({ at, event_id }: { readonly at: string; readonly event_id: string }) => ({ at, event_id });

const attempts = (count: number): string => (count === 1 ? 'one attempt' : `${count} attempts`);

const describeCause = ({ causation_id, correlation_id }: z.output<typeof PublishedEvent>): string =>
  causation_id ? `, because of event ${causation_id}` : correlation_id ? `, in request ${correlation_id}` : '';

const describeSettlement = (service: string, { type, settled_as, settled_by, settled_reason }: z.output<typeof DeadLetter>): string =>
  `The dead letter ${type} of ${service} was ${settled_as} by ${settled_by}${settled_reason ? `: ${settled_reason}` : ''}.`;

const PublishedEvent = z.object({
  event_id: z.string(),
  type: z.string(),
  aggregate_id: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  correlation_id: z.string().nullable(),
  causation_id: z.string().nullable(),
  trace_id: z.string().nullable(),
  at: z.string(),
});
const ProcessedEvent = z.object({ event_id: z.string(), type: z.string(), at: z.string() });
const DeadLetter = ProcessedEvent.extend({
  error: z.string(),
  attempts: z.number(),
  settled_as: z.string().nullable(),
  settled_by: z.string().nullable(),
  settled_reason: z.string().nullable(),
  settled_at: z.string().nullable(),
});
const ReplayedEvent = ProcessedEvent.extend({
  outcome: z.string(),
  detail: z.string().nullable(),
  by: z.string(),
  handler: z.string().nullable(),
});
const Refusal = z.object({
  request_id: z.string(),
  operation: z.string(),
  status: z.number(),
  code: z.string(),
  message: z.string(),
  order_id: z.string().nullable(),
  trace_id: z.string().nullable(),
  at: z.string(),
});
const KeyedRequest = z.object({ operation: z.string(), state: z.enum(['running', 'done']), status: z.number().nullable(), at: z.string() });
