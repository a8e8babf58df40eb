import { Envelope, numberHeaders, type Producer, subjectsOf } from '@corner/contracts';
import { partsOf, type StoredRange } from '@corner/nats';
import type { Broker, StoredMessage } from './broker.ts';

export interface StoredEvent {
  readonly subject: string;
  readonly envelope: Envelope;
  /** False for events of an upstream or of `corner apply`: only a service's relay numbers its events. */
  readonly numbered: boolean;
}

interface Reading {
  readonly from: number;
  readonly stopped?: AbortSignal;
  readonly onPage: (events: readonly StoredEvent[]) => Promise<void>;
}

const pageSize = 200;
const readers = 8;

/**
 * Reads the events of a producer's stream in pages, and skips messages that are not its events. `onPage` gets the events of one part of the
 * stream, in order; parts are read concurrently. Returns the stream's last sequence when the reading began. A stream that is newer than
 * `from` is read whole. Throws UnfitStream when it is missing.
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
