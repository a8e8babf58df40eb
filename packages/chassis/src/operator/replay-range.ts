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

/** The events a replay is about, each with the reactions it goes to. */
export type Wanted = ReadonlyMap<EventContract, readonly string[]>;

/** Which events go to which reactions. Throws VALIDATION_FAILED that lists the names there are, for a name there is not. */
export function wantedBy(eventHandlers: EventHandlers<never>, { type, to }: Pick<ReplayRange, 'type' | 'to'>): Wanted {
  const names = Object.keys(eventHandlers);
  if (to !== undefined && !names.includes(to))
    throw new Problem('VALIDATION_FAILED', { message: `there is no reaction ${to}; there are ${names.join(', ') || 'none'}` });
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
      message: `${to ?? 'no reaction here'} does not hear ${type}; heard are ${types.join(', ') || 'none'}`,
    });
  }
  return wanted;
}

/** The tellers whose streams a replay reads, in the order it reads them. */
export const producersOf = (wanted: Wanted): Producer[] => {
  const told = new Set([...wanted.keys()].flatMap((event) => event.producers));
  return producers.filter((producer) => told.has(producer));
};

/** Whether an event is among those wanted. */
export const isWanted = (wanted: Wanted, { dataschema }: Pick<Envelope, 'dataschema'>): boolean =>
  wanted.keys().some((event) => dataSchemaOf(event) === dataschema);

/** What to read of a teller's stream: a consumer takes one filter, so what is not wanted beside others is left out by the reader. */
function subjectOf(broker: Broker, wanted: Wanted, producer: Producer): string {
  const [event, ...more] = [...wanted.keys()].filter(({ producers }) => producers.includes(producer));
  return broker.subject(event && more.length === 0 ? `${producer}.${event.type}.v${event.version}.*` : subjectsOf(producer));
}

type From = { readonly since: string } | { readonly sequence: number };

/** Reads a stream aside, without touching what the service's own consumer has acknowledged. */
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

/** How many of an event the broker has taken from `since` up to `until`, and still has. */
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

/** The next messages of a teller's stream within the range, in their order, wanted or not; `end` when there are no more. */
export async function readOn(
  broker: Broker,
  wanted: Wanted,
  producer: Producer,
  { since, until }: Pick<ReplayRange, 'since' | 'until'>,
  sequence: number,
  limit: number,
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
    if (messages.length === 0 && !past) throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'the broker does not hand out what it has' });
    return { messages, end: past || messages.length === reader.pending };
  } finally {
    await reader.close();
  }
}
