import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import { inTime } from '../async/waiting.ts';

/**
 * Returns true when NATS replies although its JetStream does not, as after a full disk. `again` opens another connection: after a
 * publication, NATS 2.9.10 replies to nothing on the old one, and to everything but JetStream on a new one.
 */
export async function isJetStreamSilent(
  connection: Pick<NatsConnection, 'rtt'>,
  again: () => Promise<NatsConnection>,
  stream: string,
): Promise<boolean> {
  const pong = connection.rtt().then(
    () => true,
    () => false,
  );
  if (await inTime(pong, false)) return true;
  const fresh = await again().catch(() => null);
  if (fresh === null) return false;
  try {
    // If JetStream replies here, only the first connection was dead; the caller's client gives it up.
    const manager = await jetstreamManager(fresh, { checkAPI: false, timeout: 2_000 });
    return await manager.streams.info(stream).then(
      () => false,
      (error) => error instanceof TimeoutError,
    );
  } finally {
    await fresh.close();
  }
}
