import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import { inTime } from '../async/waiting.ts';

/**
 * Whether NATS replies although its JetStream is silent, as after a full disk. `again` opens another connection: NATS 2.9.10 replies to
 * nothing on one that has published then, and to everything but JetStream on a new one.
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
    // If JetStream replies here, only the first connection was dead; it is given up elsewhere.
    const manager = await jetstreamManager(fresh, { checkAPI: false, timeout: 2_000 });
    return await manager.streams.info(stream).then(
      () => false,
      (error) => error instanceof TimeoutError,
    );
  } finally {
    await fresh.close();
  }
}
