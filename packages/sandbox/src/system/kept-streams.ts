import { connectNats, keepStreams, type Login } from '@corner/nats';

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
export async function startKeepingStreams({ addresses, login, say, ...options }: KeptStreamsOptions): Promise<void> {
  const connection = await connectNats(addresses, 'corner streams', login, true);
  await new Promise<void>((resolve) => {
    const log = { info: () => {}, error: say };
    void keepStreams({ ...options, connection, log, looked: () => resolve() })
      .then(() => connection.close())
      .then(resolve);
  });
}
