import { z } from 'zod';
import { defineRpc, type RpcContract } from './rpc.ts';
import { Instant, InstantInput, type ServiceName } from './vocabulary.ts';

/**
 * What an operator asks of a service. Every service answers all of it, so that whoever has the broker's address needs no
 * database and no name of a table.
 */
const Id = z.guid().toLowerCase();
/** Who did it, for the record: the name of a person on duty or of a program. */
const By = z.string().min(1).max(100);

const rpc = <A extends z.ZodType, B extends z.ZodType>(
  service: ServiceName,
  deed: string,
  deadlineMs: number,
  summary: string,
  input: A,
  output: B,
): RpcContract<A, B> =>
  defineRpc({
    name: `${service}.${deed}`,
    service: service,
    summary,
    input,
    output,
    problems: ['VALIDATION_FAILED', 'UPSTREAM_UNAVAILABLE'],
    deadlineMs,
  });

/** An event that was set aside. Its data is not part of it: that may name people. */
export const DeadLetterView = z.object({
  event_id: Id,
  type: z.string(),
  /** What the event speaks of; null when it could not be read. */
  aggregate_id: z.string().nullable(),
  error: z.string(),
  attempts: z.int(),
  dead_lettered_at: Instant,
  settled_at: Instant.nullable(),
  settled_as: z.enum(['retried', 'discarded']).nullable(),
  settled_by: z.string().nullable(),
  settled_reason: z.string().nullable(),
});
export type DeadLetterView = z.output<typeof DeadLetterView>;

/** Dead letters, oldest first, a page at a time. */
export const listDeadLetters = (service: ServiceName) =>
  rpc(
    service,
    'dead-letters.list',
    3_000,
    'Events this service has set aside, oldest first.',
    z.object({
      event_id: Id.optional(),
      type: z.string().max(100).optional(),
      /** With those that were retried or discarded. */
      settled: z.boolean().default(false),
      after: z.object({ dead_lettered_at: Instant, event_id: Id }).optional(),
    }),
    z.object({ deadLetters: z.array(DeadLetterView), more: z.boolean() }),
  );

/** One dead letter with its envelope. Data is withheld, its fields named, unless it is asked for. */
export const showDeadLetter = (service: ServiceName) =>
  rpc(
    service,
    'dead-letters.show',
    3_000,
    'A dead letter with its envelope.',
    z.object({ event_id: Id, payload: z.boolean().default(false), by: By }),
    z.object({
      deadLetter: DeadLetterView.extend({
        /** Null when what came is not an envelope. */
        envelope: z.record(z.string(), z.unknown()).nullable(),
        data_fields: z.array(z.string()),
        /** What came, to the letter; null unless it was asked for. */
        payload: z.string().nullable(),
      }).nullable(),
    }),
  );

const Outcome = z.object({
  outcome: z.enum(['retried', 'discarded', 'failed', 'not open']),
  /** Why it failed, or what had become of it. */
  detail: z.string().nullable(),
});
export type DeadLetterOutcome = z.output<typeof Outcome>;

/** Works a dead letter through again. */
export const retryDeadLetter = (service: ServiceName) =>
  rpc(service, 'dead-letters.retry', 15_000, 'Works a dead letter through again.', z.object({ event_id: Id, by: By }), Outcome);

/** Gives a dead letter up. */
export const discardDeadLetter = (service: ServiceName) =>
  rpc(
    service,
    'dead-letters.discard',
    5_000,
    'Gives a dead letter up, with the reason on record.',
    z.object({ event_id: Id, by: By, reason: z.string().trim().min(1).max(500) }),
    Outcome,
  );

/** Which events are replayed: those the broker took from `since` up to `until`, of one type or all, to one reaction or all. */
export const ReplayRange = z.object({
  since: InstantInput,
  until: InstantInput,
  type: z.string().max(100).optional(),
  to: z.string().max(100).optional(),
});
export type ReplayRange = z.output<typeof ReplayRange>;

/** How many events a replay would bring. Changes nothing. */
export const countReplay = (service: ServiceName) =>
  rpc(
    service,
    'replay.count',
    10_000,
    'How many events of each type a replay would bring, and to which reactions.',
    ReplayRange,
    z.object({ counts: z.array(z.object({ type: z.string(), count: z.int(), eventHandlers: z.array(z.string()) })) }),
  );

/** Notes that a replay begins: who, when, which range, how many. A repeat with the same id changes nothing. */
export const beginReplay = (service: ServiceName) =>
  rpc(
    service,
    'replay.begin',
    10_000,
    'Notes who replays what.',
    ReplayRange.extend({ replay_id: Id, by: By, counted: z.int().min(0) }),
    z.object({ begun_at: Instant }),
  );

/** Where a replay stands: a teller's stream, and the place in it to go on from. */
export const ReplayPlace = z.object({ producer: z.int().min(0), sequence: z.int().min(0) });

/** Replays a page of the range. A repeat of the same page works through only what the first left out. */
export const replayPage = (service: ServiceName) =>
  rpc(
    service,
    'replay.page',
    30_000,
    'Replays the next events of a range that has begun.',
    z.object({ replay_id: Id, from: ReplayPlace }),
    z.object({
      /** Null when the range is done, and its end is on record. */
      next: ReplayPlace.nullable(),
      processed: z.int(),
      skipped: z.int(),
      failed: z.int(),
      failures: z.array(z.object({ event_id: Id, type: z.string(), error: z.string() })),
    }),
  );

/** One thing that happened, in a sentence: who, what, why, how much. Never a credential, a code that opens something, or a person. */
export const Fact = z.object({
  at: Instant,
  sentence: z.string(),
  event_id: z.string().nullable().default(null),
  request_id: z.string().nullable().default(null),
  trace_id: z.string().nullable().default(null),
  /** What a further explanation may be asked of: an order, a queue entry. */
  of: z.string().nullable().default(null),
});
export type Fact = z.output<typeof Fact>;
export type FactInput = z.input<typeof Fact>;

/** What a service has on record of requests, orders, events, payments: by any id that names them. */
export const explain = (service: ServiceName) =>
  rpc(
    service,
    'explain',
    8_000,
    'What is on record here of a request, an event, an order, a payment, a queue entry.',
    z.object({ ids: z.array(z.string().min(1).max(255)).min(1).max(500) }),
    z.object({
      facts: z.array(Fact),
      /** Ids of the same story under which others, or this service, may have more. */
      also: z.array(z.string()),
    }),
  );
