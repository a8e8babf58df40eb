import { connectOptions, inboxOf, keepStreams, userOf } from '@corner/nats';
import { connect } from '@nats-io/transport-node';
import type { Login } from '../servers/nats.ts';
import { connectMs } from './addresses.ts';

export interface KeptStreamsOptions {
  readonly addresses: string;
  readonly login: Login;
  readonly namespace: string;
  readonly replicas: number | undefined;
  readonly say: (line: string) => void;
  readonly stopped: AbortSignal;
}

/**
 * Makes the streams of a system and the consumers of its services, and keeps them until it is stopped, also when NATS comes back without them.
 * Resolves when all were looked at once; what is wrong with them is said.
 */
export async function startKeepingStreams({ addresses, login, namespace, replicas, say, stopped }: KeptStreamsOptions): Promise<void> {
  const all = { ...login, NATS_URL: addresses };
  const user = userOf(all);
  const connection = await connect({
    ...connectOptions(all),
    name: 'corner streams',
    ...(user === undefined ? {} : { inboxPrefix: inboxOf(user) }),
    timeout: connectMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    ignoreAuthErrorAbort: true,
  });
  await new Promise<void>((resolve) => {
    const log = { info: () => {}, error: say };
    void keepStreams({ connection, namespace, replicas, log, stopped, looked: () => resolve() })
      .then(() => connection.close())
      .then(resolve);
  });
}
