import { subjectsOf } from '@corner/contracts';
import { partsOf, type StoredRange, storedMessages } from '@corner/nats';
import type { StoredMsg } from '@nats-io/jetstream';
import type { Broker } from '../broker/broker.ts';
import type { Feed } from './feed.ts';
import { consume } from './inbox.ts';
import { type ConsumeOptions, type IncomingEvent, parseEnvelope } from './incoming-event.ts';
import { createPartitions, type PartitionsState } from './partitions.ts';
import { directory, newerAmong } from './snapshot-versions.ts';

/** Milliseconds between two comparisons. */
const compareMs = 3_600_000;
/** Milliseconds at least between two comparisons while the broker does not deliver. */
const leastMs = 2_000;

/** The feed of the directory: its snapshots have no numbers, so the newest versions are compared instead, at the beginning and every hour. */
export async function openDirectoryFeed<Context>(options: CompareOptions<Context> & { readonly state: PartitionsState }): Promise<Feed> {
  const partitions = createPartitions({ ...options, afterCrash: false }, options.stopped, options.state);
  let comparedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  return {
    partitions,
    take: partitions.add,
    suspectLoss() {
      comparedAt = Number.NEGATIVE_INFINITY;
    },
    isBehind: () => false,
    async tend(pull) {
      // While nothing can be delivered, the stream may still be read: a part of the time, since it is read whole.
      const everyMs = pull === 'nothing can come' ? Math.max(leastMs, 20 * tookMs) : compareMs;
      const began = performance.now();
      if (began - comparedAt < everyMs) return 0;
      const newer = await processNewerSnapshots(options);
      comparedAt = performance.now();
      tookMs = comparedAt - began;
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
  const { first_seq, last_seq } = (await broker.lookAtStream(directory)).info.state;
  const counts = await Promise.all(partsOf(Math.max(first_seq, 1), last_seq, readers).map(comparePart));
  return counts.reduce((sum, count) => sum + count, 0);

  async function comparePart(range: StoredRange): Promise<number> {
    let count = 0;
    let page: IncomingEvent[] = [];
    for await (const message of storedMessages(broker.jsm, stream, { ...range, subject: broker.subject(subjectsOf(directory)) })) {
      if (stopped.aborted) break;
      page.push(...readable(message));
      if (page.length < pageSize) continue;
      count += await processNewer(options, page);
      page = [];
    }
    return count + (await processNewer(options, page));
  }
}

/** The event of a message; none for one that is not an event envelope, which the consumer makes a dead letter. */
function readable(message: StoredMsg): IncomingEvent[] {
  try {
    const envelope = parseEnvelope(message.string());
    return envelope.source === `/${directory}` ? [{ envelope, redelivered: false }] : [];
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
