import { z } from 'zod';
import { defineRpc } from './rpc.ts';
import { Instant, type Producer, producers, type RequiredService, type ServiceName } from './vocabulary.ts';

/**
 * A service numbers its events without gaps before it publishes them, so a consumer can count those in its own database and read missing
 * ones from the producer.
 */
const EventNumber = z.int().min(1);

/**
 * A period in which one relay numbered a service's events. The id is random, so a number under it never means two events, even when the
 * service's database was restored to an earlier moment.
 */
export const Incarnation = z.object({
  id: z.guid(),
  /** Its first number. The incarnation before ends below it. */
  begins: EventNumber,
});
export type Incarnation = z.output<typeof Incarnation>;

export const numberHeaders = { incarnation: 'Corner-Incarnation', begins: 'Corner-Begins', number: 'Corner-Number' } as const;

/** Their size is limited too: a message of NATS holds a megabyte by default. */
export const eventsOfOneRead = 500;

/**
 * Reads events of a service's outbox with numbers from `from` to `to`, or to the last when `to` is null; reads none when `to` is below
 * `from`. Every service serves it to its consumers.
 */
export const eventsRead = (service: ServiceName) =>
  defineRpc({
    name: `${service}.events.read`,
    service,
    summary: 'Returns events of this service by their numbers, from its outbox.',
    input: z.object({ from: EventNumber, to: z.int().min(0).nullable() }),
    output: z.object({
      /** Those in the database, oldest first. */
      incarnations: z.array(Incarnation),
      /** The highest number; 0 before the first event. */
      last: z.int().min(0),
      /** Numbers below this one are void, and their events have others: the database was restored from a dump. Usually 0. */
      void_below: z.int().min(0),
      events: z.array(
        z.object({ number: EventNumber, envelope: z.record(z.string(), z.unknown()).describe('Of the event, as it is published.') }),
      ),
      /** The number up to which this reply is complete. Numbers from `from` to here that are not among `events` are no longer kept. */
      covered_to: z.int().min(0),
    }),
    problems: [],
    deadlineMs: 6_000,
  });
export type EventsRead = z.output<ReturnType<typeof eventsRead>['output']>;

export const eventsOfOneRange = 1_000;

export const Digest = z.object({
  from: EventNumber,
  to: EventNumber,
  count: z.int(),
  /** Hashes the numbers and ids in their order: equal in two databases with the same events. */
  hash: z.string(),
});
export type Digest = z.output<typeof Digest>;

export const Completeness = z.object({
  producer: z.enum(producers),
  /** Every event up to this number has been processed; null for the directory, whose snapshots have no numbers. */
  complete_up_to: z.int().min(0).nullable(),
  /** The highest number that is known; null before the producer has replied, and for the directory. */
  last: z.int().min(0).nullable(),
  /** Events that the broker did not deliver and that were requested from the producer. */
  missing: z.int().min(0),
  missing_since: Instant.nullable(),
  /** Processed events that the producer does not know: its database was restored to an earlier moment. */
  unknown: z.int().min(0),
  /** Ranges of numbers that were never processed: the outbox no longer kept them when they were asked for. */
  lost: z.array(z.object({ from: EventNumber, to: EventNumber, before: Instant.nullable(), noticed_at: Instant })),
});
export type Completeness = z.output<typeof Completeness>;

/**
 * The producers whose events consumers count by their numbers: every one but the directory, whose snapshots they compare by version, also
 * those of an upstream.
 */
export const numbers = (producer: Producer): producer is RequiredService => producer !== 'directory';
