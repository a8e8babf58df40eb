import { subjectsOf } from '@corner/contracts';
import { JetStreamApiError, type MsgRequest, type StoredMsg } from '@nats-io/jetstream';
import type { Broker } from '../broker/broker.ts';
import type { Feed } from './feed.ts';
import { consume } from './inbox.ts';
import { type ConsumeOptions, type IncomingEvent, parseEnvelope } from './incoming-event.ts';
import { createPartitions, type PartitionsState } from './partitions.ts';
import { directory, newerAmong } from './snapshot-versions.ts';

/** Milliseconds between two comparisons. */
const compareMs = 3_600_000;

/** The feed of the directory: its snapshots have no numbers, so the newest versions are compared instead, at the beginning and every hour. */
export async function openDirectoryFeed<Context>(options: CompareOptions<Context> & { readonly state: PartitionsState }): Promise<Feed> {
  const partitions = createPartitions({ ...options, afterCrash: false }, options.stopped, options.state);
  let comparedAt = Number.NEGATIVE_INFINITY;
  return {
    partitions,
    take: partitions.add,
    isBehind: () => false,
    async tend() {
      if (performance.now() - comparedAt < compareMs) return 0;
      const newer = await processNewerSnapshots(options);
      comparedAt = performance.now();
      if (newer > 0) options.log.info({ snapshots: newer }, 'snapshots of the directory were newer than what was processed');
      return newer;
    },
    close: partitions.finish,
  };
}

interface CompareOptions<Context> extends ConsumeOptions<Context> {
  readonly broker: Broker;
  readonly stopped: AbortSignal;
}

/** Messages that are compared with one statement. */
const pageSize = 200;
/** Parts of the stream that are read beside each other, since each message is a request. */
const readers = 8;

/**
 * Compares the newest snapshot of each object, which the stream keeps for ever, with what was processed, and processes those that are newer.
 * An upstream that publishes the directory has no outbox to ask. Returns how many snapshots were newer.
 */
async function processNewerSnapshots<Context>({ broker, stopped, ...options }: CompareOptions<Context>): Promise<number> {
  const stream = broker.streamOf(directory);
  const { firstSequence, lastSequence } = await broker.ensureStream(directory);
  const width = Math.ceil((lastSequence - firstSequence + 1) / readers);
  const parts = Array.from({ length: readers }, (_, index) => firstSequence + index * width);
  const counts = await Promise.all(parts.map((from) => comparePart(from, Math.min(from + width - 1, lastSequence))));
  return counts.reduce((sum, count) => sum + count, 0);

  async function comparePart(from: number, to: number): Promise<number> {
    let count = 0;
    let page: IncomingEvent[] = [];
    for (let sequence = from; sequence <= to && !stopped.aborted; ) {
      const message = await nextMessage(broker, stream, sequence);
      if (!message || message.seq > to) break;
      sequence = message.seq + 1;
      page.push(...readable(message));
      if (page.length < pageSize) continue;
      count += await processNewer(options, page);
      page = [];
    }
    return count + (await processNewer(options, page));
  }
}

/** The first message at this sequence or after it; null when there is none. */
async function nextMessage(broker: Broker, stream: string, seq: number): Promise<StoredMsg | null> {
  try {
    // The API has taken this since NATS 2.9; the type of the library does not say so.
    const request = { seq, next_by_subj: broker.subject(subjectsOf(directory)) } as MsgRequest;
    return await broker.jsm.streams.getMessage(stream, request);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === 10_037) return null; // "no message found"
    throw error;
  }
}

/** The event of a message; none for one that is not an event envelope, which the consumer makes a dead letter. */
function readable(message: StoredMsg): IncomingEvent[] {
  try {
    return [{ envelope: parseEnvelope(message.string()), redelivered: false }];
  } catch {
    return [];
  }
}

/** Processes the snapshots that are newer than what was processed, one by one, and returns how many those are. */
async function processNewer<Context>(options: ConsumeOptions<Context>, events: readonly IncomingEvent[]): Promise<number> {
  const newer = await newerAmong(options.database, events);
  for (const event of newer) {
    try {
      await consume(options, [event]);
    } catch (error) {
      // The consumer meets it too, and decides whether it becomes a dead letter.
      options.log.warn({ event_id: event.envelope.id, err: error }, 'a snapshot of the directory could not be processed');
    }
  }
  return newer.length;
}
