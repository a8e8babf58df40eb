import { randomUUID } from 'node:crypto';
import { connectNats } from '@corner/nats';
import { DiscardPolicy, jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

export interface RawPublishing extends AsyncDisposable {
  /** Publishes `count` messages. Returns how many were acknowledged per second. */
  publish(count: number): Promise<number>;
}

/** Unacknowledged messages at a time. */
const window = 1024;
/** Bytes of a message, about those of an order.paid event. */
const size = 900;

/** Publishes from one process into a stream configured like the platform's, with message ids and acknowledgements and no other work. */
export async function startRawPublishing(natsUrl: string): Promise<RawPublishing> {
  const connection = await connectNats(natsUrl, 'corner bench');
  const manager = await jetstreamManager(connection);
  const js = jetstream(connection);
  await manager.streams.add({
    name: 'BENCH',
    subjects: ['bench.>'],
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(3_600_000),
  });
  const payload = 'x'.repeat(size);
  return {
    async publish(count) {
      let next = 0;
      const startedAt = performance.now();
      const worker = async () => {
        while (next++ < count) await js.publish('bench.raw', payload, { msgID: randomUUID() });
      };
      await Promise.all(Array.from({ length: window }, worker));
      return count / ((performance.now() - startedAt) / 1000);
    },
    async [Symbol.asyncDispose]() {
      await manager.streams.delete('BENCH');
      await connection.close();
    },
  };
}
