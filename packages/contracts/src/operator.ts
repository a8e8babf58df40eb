import { z } from 'zod';
import { Completeness, Digest } from './numbers.ts';
import type { ProblemCode } from './problems.ts';
import { type AnyRpc, defineRpc, type RpcContract } from './rpc.ts';
import { Instant, InstantInput, producers, type ServiceName } from './vocabulary.ts';

/**
 * Every service serves these RPCs, with which an operator inspects and repairs it. An operator needs the broker's address only, no database
 * access.
 */
export const Id = z.guid('must be a UUID').toLowerCase();
/** The operator on record. The service takes the name from the subject, whatever the request says. */
export const By = z
  .string()
  .max(100)
  .regex(/^[^\s.*>]+$/, 'a name without spaces, dots, asterisks and angle brackets');

/** On record: the operator in the call's subject, or the person named by the console, whose subject may have any form. */
export const ReadBy = z.string().min(1).max(300).default('unknown');

export const operatorRpc = <A extends z.ZodType, B extends z.ZodType>(
  service: ServiceName,
  procedure: string,
  deadlineMs: number,
  summary: string,
  input: A,
  output: B,
  problems: readonly ProblemCode[] = [],
): RpcContract<A, B> =>
  defineRpc({
    name: `${service}.${procedure}`,
    service,
    summary,
    input,
    output,
    problems: ['VALIDATION_FAILED', 'UPSTREAM_UNAVAILABLE', ...problems],
    deadlineMs,
    operator: true,
  });

/** Excludes the event's data, which may hold personal data. */
export const DeadLetterSummary = z.object({
  event_id: Id,
  type: z.string(),
  /** The aggregate of the event; null when the payload could not be parsed. */
  aggregate_id: z.string().nullable(),
  error: z.string(),
  attempts: z.int(),
  dead_lettered_at: Instant,
  settled_at: Instant.nullable(),
  settled_as: z.enum(['retried', 'discarded']).nullable(),
  settled_by: z.string().nullable(),
  settled_reason: z.string().nullable(),
});
export type DeadLetterSummary = z.output<typeof DeadLetterSummary>;

/** Oldest first, in pages. */
export const listDeadLetters = (service: ServiceName) =>
  operatorRpc(
    service,
    'dead-letters.list',
    10_000,
    'Lists the dead letters of this service, oldest first.',
    z.object({
      event_id: Id.optional(),
      type: z.string().max(100).optional(),
      settled: z.boolean().default(false),
      after: z.object({ dead_lettered_at: Instant, event_id: Id }).optional(),
    }),
    z.object({ dead_letters: z.array(DeadLetterSummary), more: z.boolean() }),
  );

/** Returns a dead letter with its envelope. The names of the data fields are always returned; their values only when `payload` is true. */
export const showDeadLetter = (service: ServiceName) =>
  operatorRpc(
    service,
    'dead-letters.show',
    10_000,
    'Returns a dead letter with its envelope.',
    z.object({ event_id: Id, payload: z.boolean().default(false), by: By }),
    z.object({
      dead_letter: DeadLetterSummary.extend({
        /** Null when the message is not an event envelope. */
        envelope: z.record(z.string(), z.unknown()).nullable(),
        data_fields: z.array(z.string()),
        /** The message as it was received; null unless it was requested. */
        payload: z.string().nullable(),
      }).nullable(),
    }),
  );

const Outcome = z.object({
  outcome: z.enum(['retried', 'discarded', 'failed', 'not open']),
  detail: z.string().nullable(),
});
export type DeadLetterOutcome = z.output<typeof Outcome>;

export const retryDeadLetter = (service: ServiceName) =>
  operatorRpc(
    service,
    'dead-letters.retry',
    15_000,
    'Processes a dead letter again.',
    z.object({ event_id: Id, by: By, reason: z.string().trim().min(1).max(500).optional() }),
    Outcome,
  );

export const discardDeadLetter = (service: ServiceName) =>
  operatorRpc(
    service,
    'dead-letters.discard',
    5_000,
    'Discards a dead letter and records the reason.',
    z.object({ event_id: Id, by: By, reason: z.string().trim().min(1).max(500) }),
    Outcome,
  );

/** The events that the broker received from `since` up to `until`. Without `type`, of every type; without `to`, for every event handler. */
export const ReplayRange = z.object({
  since: InstantInput,
  until: InstantInput,
  type: z.string().max(100).optional(),
  to: z.string().max(100).optional(),
});
export type ReplayRange = z.output<typeof ReplayRange>;

export const countReplay = (service: ServiceName) =>
  operatorRpc(
    service,
    'replay.count',
    30_000,
    'Counts the events of each type in a range, and names the event handlers that would process them.',
    ReplayRange,
    z.object({ counts: z.array(z.object({ type: z.string(), count: z.int(), event_handlers: z.array(z.string()) })) }),
  );

/** A repeat with the same id changes nothing. */
export const beginReplay = (service: ServiceName) =>
  operatorRpc(
    service,
    'replay.begin',
    10_000,
    'Records the start of a replay.',
    ReplayRange.extend({ replay_id: Id, by: By, counted: z.int().min(0) }),
    z.object({ begun_at: Instant }),
  );

/** The index of a producer, and the next sequence number in its stream. */
export const ReplayPosition = z.object({ producer: z.int().min(0), sequence: z.int().min(0) });

/** A repeat of a page processes only the events that the first call did not. */
export const replayPage = (service: ServiceName) =>
  operatorRpc(
    service,
    'replay.page',
    30_000,
    'Replays the next page of a replay that has begun.',
    z.object({ replay_id: Id, from: ReplayPosition }),
    z.object({
      /** The position of the next page. Null when the replay has ended; its end is then recorded. */
      next: ReplayPosition.nullable(),
      processed: z.int(),
      skipped: z.int(),
      failed: z.int(),
      failures: z.array(z.object({ event_id: Id, type: z.string(), error: z.string() })),
    }),
  );

/** The state of the replica that replied, and the backlog of all. Values from the database are null, or empty, while it is away. */
export const readStatus = (service: ServiceName) =>
  operatorRpc(
    service,
    'status',
    3_000,
    'Returns the version, readiness and backlog of this service.',
    z.object({}),
    z.object({
      version: z.string(),
      started_at: Instant,
      ready: z.boolean(),
      /** Each check with `ok` or a sentence. Some that are not `ok` leave the service ready: while the broker is away, events wait. */
      checks: z.record(z.string(), z.string()),
      open_dead_letters: z.int().nullable(),
      relay: z.object({
        /** True when this replica runs the relay. */
        leading: z.boolean(),
        /** Not yet acknowledged by the broker; counted up to 10,000. */
        unpublished: z.int().nullable(),
        /** When the oldest of them was recorded; null when there is none, or none is known. */
        oldest_unpublished_at: Instant.nullable(),
        /** Why this replica publishes nothing, and what to do; null when all is well or another replica leads. */
        fault: z.string().nullable(),
      }),
      /** Producers whose events this replica cannot pull, each with the reason. */
      consumer_faults: z.array(z.object({ producer: z.string(), fault: z.string() })),
      consumed: z.array(Completeness),
    }),
  );

/** Count and hash of each range of events that the outbox keeps, from `from` on, at most a hundred ranges. */
export const digestOutbox = (service: ServiceName) =>
  operatorRpc(
    service,
    'outbox.digest',
    30_000,
    'Returns count and hash of ranges of the events that this service published.',
    z.object({ from: z.int().min(1) }),
    z.object({
      last: z.int().min(0),
      ranges: z.array(Digest),
      next: z.int().nullable(),
    }),
  );

export const digestInbox = (service: ServiceName) =>
  operatorRpc(
    service,
    'inbox.digest',
    30_000,
    'Returns count and hash of ranges of the events of a producer that this service has processed.',
    z.object({ producer: z.enum(producers), ranges: z.array(Digest.pick({ from: true, to: true })).max(100) }),
    z.object({ complete_up_to: z.int().min(0), ranges: z.array(Digest) }),
  );

export const maxConsumerParts = 64;

/** Returns the number of parts that consumption is divided into, each read by one replica; changes it when a number is given. */
export const consumerParts = (service: ServiceName) =>
  operatorRpc(
    service,
    'consumers.parts',
    5_000,
    'Returns, and changes, into how many parts the events that this service consumes are divided.',
    z.object({ parts: z.int().min(1).max(maxConsumerParts).nullable(), by: By }),
    z.object({
      parts: z.int(),
      /** The number that replicas read by. It differs from `parts` until they have finished reading the former parts. */
      prepared: z.int(),
    }),
  );

/** A recorded fact as a sentence: event, actor, reason, amount. It never holds a credential, a code that can be used, or personal data. */
export const Fact = z.object({
  at: Instant,
  sentence: z.string(),
  event_id: z.string().nullable().default(null),
  request_id: z.string().nullable().default(null),
  trace_id: z.string().nullable().default(null),
  /** The id of the order or queue entry that the fact is about, for a further `explain`. */
  of: z.string().nullable().default(null),
});
export type Fact = z.output<typeof Fact>;
export type FactInput = z.input<typeof Fact>;

/** Finds facts about requests, orders, events and payments by any of their ids. */
export const explain = (service: ServiceName) =>
  operatorRpc(
    service,
    'explain',
    8_000,
    'Returns the recorded facts about a request, event, order, payment or queue entry.',
    z.object({ ids: z.array(z.string().min(1).max(255)).min(1).max(500), by: ReadBy }),
    z.object({
      facts: z.array(Fact),
      /** Related ids under which this or another service may have recorded more. */
      also: z.array(z.string()),
    }),
  );

export const operatorRpcsOfEach = (service: ServiceName): readonly AnyRpc[] =>
  [
    listDeadLetters,
    showDeadLetter,
    retryDeadLetter,
    discardDeadLetter,
    countReplay,
    beginReplay,
    replayPage,
    readStatus,
    digestOutbox,
    digestInbox,
    explain,
    consumerParts,
  ].map((rpcOf): AnyRpc => rpcOf(service));
