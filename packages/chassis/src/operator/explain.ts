import type { FactInput } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { instantOf } from '../database/instant.ts';

/** What is on record under some ids, and under which other ids there may be more. */
export interface Explained {
  readonly facts: readonly FactInput[];
  readonly also: readonly string[];
}

/** Rows of one kind in one answer: a story longer than that is told by its newest. */
const most = 200;

const isUuid = (id: string): boolean => z.guid().safeParse(id).success;

/** What the chassis of a service has on record: events told and heard, dead letters, replays, kept answers, refusals. */
export async function explainBackbone(database: Database, service: string, ids: readonly string[]): Promise<Explained> {
  const names = sql.array([...ids], 'text');
  const uuids = sql.array(ids.filter(isUuid), 'uuid');
  const told = await database.any(sql.type(OutboxEntry)`
    select event_id, type, aggregate_id, correlation_id, causation_id, split_part(traceparent, '-', 2) as trace_id,
      ${instantOf(sql.fragment`created_at`)} as at
    from outbox
    where id in (
      select id from outbox where correlation_id = any(${names})
      union select id from outbox where causation_id = any(${names})
      union select id from outbox where event_id = any(${uuids})
      union select id from outbox where aggregate_id = any(${names}))
    order by id desc limit ${most}`);
  const heard = await database.any(sql.type(IncomingEvent)`
    select i.event_id, i.type, ${instantOf(sql.fragment`i.processed_at`)} as at from inbox i
    where i.event_id = any(${uuids}) and not exists (select 1 from dead_letter d where d.event_id = i.event_id)`);
  const deadLetters = await database.any(sql.type(DeadLetter)`
    select event_id, type, error, attempts, settled_as, settled_by, settled_reason,
      ${instantOf(sql.fragment`dead_lettered_at`)} as at, ${instantOf(sql.fragment`settled_at`)} as settled_at
    from dead_letter where event_id = any(${uuids})`);
  const replayed = await database.any(sql.type(Replayed)`
    select e.event_id, e.type, e.outcome, e.detail, r.by, r.handler, ${instantOf(sql.fragment`e.at`)} as at
    from replayed_event e join replay r on r.id = e.replay_id where e.event_id = any(${uuids})
    order by e.at desc limit ${most}`);
  const refused = await database.any(sql.type(Refused)`
    select request_id, operation, status, code, message, order_id, trace_id, ${instantOf(sql.fragment`at`)} as at from refusal
    where id in (select id from refusal where request_id = any(${names}) union select id from refusal where order_id = any(${uuids}))
    order by id desc limit ${most}`);
  const answered = await database.any(sql.type(Answered)`
    select operation, state, status, ${instantOf(sql.fragment`created_at`)} as at from idempotency_key where key = any(${names}) limit ${most}`);

  const facts = [
    ...told.map((row) => ({
      ...about(row),
      sentence: `${service} told ${row.type} of ${row.aggregate_id}${becauseOf(row)}.`,
      request_id: row.correlation_id,
      trace_id: row.trace_id,
      of: row.aggregate_id,
    })),
    ...heard.map((row) => ({ ...about(row), sentence: `${service} heard ${row.type} and did what follows from it.` })),
    ...deadLetters.flatMap((row) => [
      { ...about(row), sentence: `${service} set ${row.type} aside as a dead letter after ${times(row.attempts)}: ${row.error}` },
      ...(row.settled_at
        ? [
            {
              ...about(row),
              at: row.settled_at,
              sentence: `The dead letter ${row.type} of ${service} was ${row.settled_as} by ${row.settled_by}${row.settled_reason ? `: ${row.settled_reason}` : ''}.`,
            },
          ]
        : []),
    ]),
    ...replayed.map((row) => ({
      ...about(row),
      sentence: `${row.by} replayed ${row.type} to ${row.handler ?? 'every reaction'} of ${service}: ${row.outcome}${row.detail ? `, ${row.detail}` : ''}.`,
    })),
    ...refused.map((row) => ({
      at: row.at,
      sentence: `${service} answered ${row.operation} with ${row.status} ${row.code}: ${row.message}`,
      request_id: row.request_id,
      trace_id: row.trace_id,
      of: row.order_id,
    })),
    ...answered.map((row) => ({
      at: row.at,
      sentence:
        row.state === 'running'
          ? `${service} began ${row.operation} under this Idempotency-Key and has not answered yet.`
          : `${service} began ${row.operation} under this Idempotency-Key, answered ${row.status}, and gives a repeat the same answer.`,
    })),
  ];
  return { facts, also: [...new Set(told.map(({ event_id }) => event_id))] };
}

const about = ({ at, event_id }: { readonly at: string; readonly event_id: string }) => ({ at, event_id });
const times = (count: number): string => (count === 1 ? 'one try' : `${count} tries`);
const becauseOf = ({ causation_id, correlation_id }: z.output<typeof OutboxEntry>): string =>
  causation_id ? `, because of event ${causation_id}` : correlation_id ? `, in request ${correlation_id}` : '';

const OutboxEntry = z.object({
  event_id: z.string(),
  type: z.string(),
  aggregate_id: z.string(),
  correlation_id: z.string().nullable(),
  causation_id: z.string().nullable(),
  trace_id: z.string().nullable(),
  at: z.string(),
});
const IncomingEvent = z.object({ event_id: z.string(), type: z.string(), at: z.string() });
const DeadLetter = IncomingEvent.extend({
  error: z.string(),
  attempts: z.number(),
  settled_as: z.string().nullable(),
  settled_by: z.string().nullable(),
  settled_reason: z.string().nullable(),
  settled_at: z.string().nullable(),
});
const Replayed = IncomingEvent.extend({
  outcome: z.string(),
  detail: z.string().nullable(),
  by: z.string(),
  handler: z.string().nullable(),
});
const Refused = z.object({
  request_id: z.string(),
  operation: z.string(),
  status: z.number(),
  code: z.string(),
  message: z.string(),
  order_id: z.string().nullable(),
  trace_id: z.string().nullable(),
  at: z.string(),
});
const Answered = z.object({ operation: z.string(), state: z.enum(['running', 'done']), status: z.number().nullable(), at: z.string() });
