import { Envelope, numberHeaders, type Producer, subjectsOf } from '@corner/contracts';
import { partsOf, type StoredRange } from '@corner/nats';
import type { Broker, StoredMessage } from './broker.ts';

/** An event as the stream of a producer holds it. */
export interface StoredEvent {
  /** The subject of its message. */
  readonly subject: string;
  readonly envelope: Envelope;
  /** True for an event of a service’s relay, which numbers what it publishes. An upstream and `corner apply` do not. */
  readonly numbered: boolean;
}

interface Reading {
  /** The first sequence to read. */
  readonly from: number;
  readonly stopped?: AbortSignal;
  /** Is called with events of a part of the stream in their order; parts are read beside each other. */
  readonly onPage: (events: readonly StoredEvent[]) => Promise<void>;
}

const pageSize = 200;
const readers = 8;

/**
 * Reads the events of a producer's stream in pages, without messages that are no events of the producer. Returns the last sequence that it
 * had when the reading began. A stream that is newer than `from` is read whole. Throws UnfitStream when it is missing.
 */
export async function readStored(broker: Broker, producer: Producer, { from, stopped, onPage }: Reading): Promise<number> {
  const { firstSequence, lastSequence } = await broker.lookAtStream(producer);
  const range = { subject: broker.subject(subjectsOf(producer)) };
  await Promise.all(partsOf(Math.max(firstSequence, from > lastSequence + 1 ? 1 : from, 1), lastSequence, readers).map(readPart));
  return lastSequence;

  async function readPart(part: StoredRange): Promise<void> {
    let page: StoredEvent[] = [];
    for await (const message of broker.readStored(producer, { ...range, ...part })) {
      if (stopped?.aborted) return;
      page.push(...eventIn(message, producer));
      if (page.length < pageSize) continue;
      await onPage(page);
      page = [];
    }
    if (page.length > 0) await onPage(page);
  }
}

function eventIn(message: StoredMessage, producer: Producer): StoredEvent[] {
  try {
    const envelope = Envelope.parse(message.json());
    if (envelope.source !== `/${producer}`) return [];
    return [{ subject: message.subject, envelope, numbered: message.header.has(numberHeaders.incarnation) }];
  } catch {
    return [];
  }
}
