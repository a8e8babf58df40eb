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
import { partsOf } from '@corner/nats';
import type { Broker, StoredMessage } from '../broker/broker.ts';
import type { EventHandlers } from '../inbox/event-handler.ts';

export type Wanted = ReadonlyMap<EventContract, readonly string[]>;

/** Throws VALIDATION_FAILED, which lists the existing names, for an unknown handler or type. */
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

export const producersOf = (wanted: Wanted): Producer[] => {
  const involved = new Set([...wanted.keys()].flatMap((event) => event.producers));
  return producers.filter((producer) => involved.has(producer));
};

export const isWanted = (wanted: Wanted, { dataschema }: Pick<Envelope, 'dataschema'>): boolean =>
  wanted.keys().some((event) => dataSchemaOf(event) === dataschema);

/** A request takes one subject, so for several events the whole stream is read. */
function subjectOf(broker: Broker, wanted: Wanted, producer: Producer): string {
  const [event, ...more] = [...wanted.keys()].filter(({ producers }) => producers.includes(producer));
  return broker.subject(event && more.length === 0 ? `${producer}.${event.type}.v${event.version}.*` : subjectsOf(producer));
}

const counters = 32;

export async function countIn(broker: Broker, event: EventContract, { since, until }: ReplayRange): Promise<number> {
  const counts = event.producers.map(async (producer) => {
    const subject = subjectOf(broker, new Map([[event, []]]), producer);
    const [from, end] = await Promise.all([since, until].map((instant) => broker.sequenceSince(producer, new Date(instant))));
    const parts = partsOf(from ?? 1, (end ?? 1) - 1, counters).map(async (part) => {
      let count = 0;
      for await (const _ of broker.readStored(producer, { ...part, subject })) count += 1;
      return count;
    });
    return sumOf(await Promise.all(parts));
  });
  return sumOf(await Promise.all(counts));
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

interface ReadFrom {
  readonly producer: Producer;
  /** The stream sequence of the next message; 0 for the beginning of the range. */
  readonly sequence: number;
}

export async function* readOn(
  broker: Broker,
  wanted: Wanted,
  { since, until }: Pick<ReplayRange, 'since' | 'until'>,
  { producer, sequence }: ReadFrom,
): AsyncGenerator<StoredMessage> {
  const from = sequence === 0 ? await broker.sequenceSince(producer, new Date(since)) : sequence;
  for await (const message of broker.readStored(producer, { from, subject: subjectOf(broker, wanted, producer) })) {
    if (message.time >= new Date(until)) return;
    yield message;
  }
}
