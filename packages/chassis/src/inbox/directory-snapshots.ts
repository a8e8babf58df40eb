import { elapsedMs } from '../async/clock.ts';
import type { Broker } from '../broker/broker.ts';
import { readStored } from '../broker/read-stored.ts';
import type { Feed } from './feed.ts';
import { type MetSnapshot, noticeIgnored } from './ignored-snapshots.ts';
import { consume } from './inbox.ts';
import type { ConsumeOptions, IncomingEvent } from './incoming-event.ts';
import { createPartitions, type PartitionsState } from './partitions.ts';
import { type Part, scopeOfSubject, takesScope } from './parts.ts';
import { directory, objectOf, processedVersions, snapshotVersionOf } from './snapshot-versions.ts';

const compareMs = 3_600_000;
const leastMs = 2_000;

/**
 * The feed of the directory. Its snapshots have no numbers, so the newest versions are compared instead, at the beginning and every hour.
 * There and at each delivery it notices objects whose newest snapshot is ignored.
 */
export async function openDirectoryFeed<Context>(options: CompareOptions<Context> & { readonly state: PartitionsState }): Promise<Feed> {
  const partitions = createPartitions({ ...options, afterCrash: false }, options.stopped, options.state);
  let comparedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let delivered = new Map<string, MetSnapshot>();
  return {
    partitions,
    take(delivery) {
      if (!delivery.isOurs) {
        delivery.respond('ack');
        return;
      }
      if (delivery.incoming) delivered.set(delivery.subject, metSnapshot(delivery.subject, delivery.incoming));
      partitions.add(delivery);
    },
    suspectLoss() {
      comparedAt = Number.NEGATIVE_INFINITY;
    },
    isBehind: () => false,
    async tend(pull) {
      if (delivered.size > 0 && !partitions.isBusy()) {
        const met = [...delivered.values()];
        delivered = new Map();
        await noticeIgnored(options, met);
      }
      // Without deliveries the stream may still be read: for a small share of the time, since it is read whole.
      const everyMs = pull === 'nothing can come' ? Math.max(leastMs, 20 * tookMs) : compareMs;
      const began = elapsedMs();
      if (began - comparedAt < everyMs) return 0;
      const newer = await processNewerSnapshots(options);
      comparedAt = elapsedMs();
      tookMs = comparedAt - began;
      if (newer > 0) options.log.info({ snapshots: newer }, 'snapshots of the directory were newer than what was processed');
      return newer;
    },
    close: partitions.finish,
  };
}

interface CompareOptions<Context> extends ConsumeOptions<Context> {
  readonly part: Part;
  readonly broker: Broker;
  readonly stopped: AbortSignal;
}

/**
 * Processes the snapshots in the stream, which keeps the newest of each object, that are newer than those processed, and returns how many.
 * Missing snapshots have no numbers by which they could be requested.
 */
async function processNewerSnapshots<Context>({ broker, stopped, part, ...options }: CompareOptions<Context>): Promise<number> {
  let count = 0;
  await readStored(broker, directory, {
    from: 1,
    stopped,
    // The consumer gets messages that are no event envelopes too, and makes them dead letters.
    onPage: async (events) => {
      const ours = events.filter(({ subject }) => takesScope(part, scopeOfSubject(subject)));
      const snapshots = ours.map(({ envelope, subject }): StoredSnapshot => {
        const event = { envelope, redelivered: false };
        return { event, met: metSnapshot(subject, event) };
      });
      count += await processNewer({ ...options, broker }, snapshots);
    },
  });
  return count;
}

interface StoredSnapshot {
  readonly event: IncomingEvent;
  readonly met: MetSnapshot;
}

const metSnapshot = (messageSubject: string, { envelope }: IncomingEvent): MetSnapshot => ({
  ...snapshotVersionOf(envelope),
  messageSubject,
});

async function processNewer<Context>(
  options: ConsumeOptions<Context> & { readonly broker: Broker },
  snapshots: readonly StoredSnapshot[],
): Promise<number> {
  const processed = await processedVersions(
    options.database,
    snapshots.map(({ met }) => met),
  );
  const newer = snapshots.filter(({ met }) => met.version > (processed.get(objectOf(met))?.version ?? 0));
  for (const { event } of newer) {
    try {
      await consume(options, [event]);
    } catch (error) {
      options.log.warn({ event_id: event.envelope.id, err: error }, 'a snapshot of the directory could not be processed');
    }
  }
  await noticeIgnored(
    options,
    snapshots.map(({ met }) => met),
  );
  return newer.length;
}
