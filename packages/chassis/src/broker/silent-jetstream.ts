import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import { inTime } from '../async/waiting.ts';

/**
 * Whether NATS answers although its JetStream has kept silent on `connection`, as it does when its disk was full. `again` opens another
 * connection: 2.9.10 answers nothing more on one that has published then, and everything but JetStream on a new one.
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
    // Where JetStream answers here, the first connection was dead, and is given up by itself.
    const manager = await jetstreamManager(fresh, { checkAPI: false, timeout: 2_000 });
    return await manager.streams.info(stream).then(
      () => false,
      (error) => error instanceof TimeoutError,
    );
  } finally {
    await fresh.close();
  }
}
