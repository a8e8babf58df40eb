import {
  dataSchemaOf,
  type Envelope,
  type EventContract,
  Problem,
  type Producer,
  producers,
  type ReplayRange,
  subjectsOf,
} from '@corner/contracts';
import { AckPolicy, DeliverPolicy, type JsMsg, ReplayPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import type { EventHandlers } from '../inbox/event-handler.ts';

/** The events of a replay, each with the names of the handlers it goes to. */
export type Wanted = ReadonlyMap<EventContract, readonly string[]>;

/** Returns which events of a range go to which handlers. Throws VALIDATION_FAILED, which lists the existing names, for an unknown handler or type. */
export function wantedBy(eventHandlers: EventHandlers<never>, { type, to }: Pick<ReplayRange, 'type' | 'to'>): Wanted {
  const names = Object.keys(eventHandlers);
  if (to !== undefined && !names.includes(to))
    throw new Problem('VALIDATION_FAILED', { message: `there is no event handler ${to}; there are: ${names.join(', ') || 'none'}` });
  const wanted = new Map<EventContract, string[]>();
  for (const [name, { event }] of Object.entries(eventHandlers)) {
    if ((to !== undefined && name !== to) || (type !== undefined && event.type !== type)) continue;
    wanted.set(event, [...(wanted.get(event) ?? []), name]);
  }
  if (wanted.size === 0) {
    const types = [
      ...new Set(Object.entries(eventHandlers).flatMap(([name, { event }]) => (to === undefined || name === to ? event.type : []))),
    ];
    throw new Problem('VALIDATION_FAILED', {
      message: `${to === undefined ? 'no event handler here takes' : `${to} does not take`} ${type}; taken are: ${types.join(', ') || 'none'}`,
    });
  }
  return wanted;
}

/** Returns the producers whose streams a replay reads, in the order it reads them. */
export const producersOf = (wanted: Wanted): Producer[] => {
  const involved = new Set([...wanted.keys()].flatMap((event) => event.producers));
  return producers.filter((producer) => involved.has(producer));
};

/** Returns whether an event belongs to the replay. */
export const isWanted = (wanted: Wanted, { dataschema }: Pick<Envelope, 'dataschema'>): boolean =>
  wanted.keys().some((event) => dataSchemaOf(event) === dataschema);

/** Returns the subject to read from a producer's stream. A consumer takes one filter, so for several events the whole stream is read. */
function subjectOf(broker: Broker, wanted: Wanted, producer: Producer): string {
  const [event, ...more] = [...wanted.keys()].filter(({ producers }) => producers.includes(producer));
  return broker.subject(event && more.length === 0 ? `${producer}.${event.type}.v${event.version}.*` : subjectsOf(producer));
}

type From = { readonly since: string } | { readonly sequence: number };

/** Opens a consumer of its own, which leaves the position of the service's durable consumer alone. */
async function openReader(broker: Broker, producer: Producer, subject: string, from: From) {
  await broker.ensureStream(producer);
  const stream = broker.streamOf(producer);
  const info = await broker.jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    replay_policy: ReplayPolicy.Instant,
    filter_subject: subject,
    mem_storage: true,
    inactive_threshold: nanos(30_000),
    ...('since' in from
      ? { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(from.since).toISOString() }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(from.sequence, 1) }),
  });
  return {
    name: info.name,
    stream,
    pending: info.num_pending,
    close: () => broker.jsm.consumers.delete(stream, info.name).catch(() => false),
  };
}

/** Returns how many of an event the broker took from `since` up to `until` and still holds. */
export async function countIn(broker: Broker, event: EventContract, { since, until }: ReplayRange): Promise<number> {
  const pendingFrom = async (producer: Producer, at: string) => {
    const reader = await openReader(broker, producer, subjectOf(broker, new Map([[event, []]]), producer), { since: at });
    await reader.close();
    return reader.pending;
  };
  let count = 0;
  for (const producer of event.producers) count += (await pendingFrom(producer, since)) - (await pendingFrom(producer, until));
  return Math.max(count, 0);
}

/** A place in a producer's stream, to read on from. */
interface ReadFrom {
  readonly producer: Producer;
  /** The stream sequence of the next message; 0 for the beginning of the range. */
  readonly sequence: number;
  /** Messages to read, at most. */
  readonly limit: number;
}

/**
 * Returns the next messages of a producer's stream within the range, in order, whether they belong to the replay or not. `end` is true when
 * the range has no more. Throws UPSTREAM_UNAVAILABLE when the broker delivers nothing of what it holds.
 */
export async function readOn(
  broker: Broker,
  wanted: Wanted,
  { since, until }: Pick<ReplayRange, 'since' | 'until'>,
  { producer, sequence, limit }: ReadFrom,
): Promise<{ readonly messages: readonly JsMsg[]; readonly end: boolean }> {
  const from: From = sequence === 0 ? { since } : { sequence };
  const reader = await openReader(broker, producer, subjectOf(broker, wanted, producer), from);
  try {
    const expected = Math.min(reader.pending, limit);
    if (expected === 0) return { messages: [], end: true };
    const consumer = await broker.js.consumers.get(reader.stream, reader.name);
    const messages: JsMsg[] = [];
    let past = false;
    for await (const message of await consumer.fetch({ max_messages: expected, expires: 5_000 })) {
      past ||= message.time >= new Date(until);
      if (!past) messages.push(message as JsMsg);
      if (message.info.pending === 0) break;
    }
    if (messages.length === 0 && !past)
      throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'the broker does not deliver the events it holds' });
    return { messages, end: past || messages.length === reader.pending };
  } finally {
    await reader.close();
  }
}
