import { randomUUID } from 'node:crypto';
import { connectNats } from '@corner/sandbox';
import { DiscardPolicy, jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

export interface RawPublishing extends AsyncDisposable {
  /** Publishes so many messages; answers how many a second were acknowledged. */
  publish(count: number): Promise<number>;
}

/** Messages under way at once. */
const window = 1024;
/** Bytes of a message: about what an order.paid comes to in its envelope. */
const size = 900;

/** The most one process gets into JetStream here: message ids and acknowledgements, a stream as the platform's, nothing else. */
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
      const began = performance.now();
      const partition = async () => {
        while (next++ < count) await js.publish('bench.raw', payload, { msgID: randomUUID() });
      };
      await Promise.all(Array.from({ length: window }, partition));
      return count / ((performance.now() - began) / 1000);
    },
    async [Symbol.asyncDispose]() {
      await manager.streams.delete('BENCH');
      await connection.close();
    },
  };
}
