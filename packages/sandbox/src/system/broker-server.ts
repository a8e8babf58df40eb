import { brokerVersion, connectNats, keepStreams, type Login, loginIn } from '@corner/nats';
import { findNatsServer } from '../servers/find-nats-server.ts';
import { startNats } from '../servers/nats.ts';
import type { NatsAccess } from '../servers/nats-access.ts';
import type { Ledger } from './ledger.ts';
import { foreignServer, type ServerHandle, startServer } from './server-handle.ts';

export interface BrokerOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly ledger: Ledger;
  readonly say: (words: string) => void;
  readonly base: Readonly<Record<string, string | undefined>>;
  readonly access: NatsAccess | null;
}

export async function startBroker({ dataDir, port, ledger, say, base, access }: BrokerOptions): Promise<ServerHandle> {
  if (base.NATS_URL) {
    const began = performance.now();
    const version = await brokerVersion(base.NATS_URL, { ...loginIn(base), ...access?.administrator });
    return foreignServer('nats', base.NATS_URL, version, performance.now() - began);
  }
  const folder = `${dataDir}/nats`;
  const server = await findNatsServer(undefined, say);
  const users = access ? { configuration: access.configuration, login: access.administrator } : {};
  const begin = (at: number) => startNats({ server, storeFolder: folder, port: at, ...users });
  return await startServer({ name: 'nats', port, folder, ledger, begin });
}

export interface KeptStreamsOptions {
  readonly addresses: string;
  readonly login: Login;
  readonly namespace: string;
  readonly replicas: number | undefined;
  readonly say: (line: string) => void;
  readonly stopped: AbortSignal;
}

export async function startKeepingStreams({ addresses, login, say, ...options }: KeptStreamsOptions): Promise<void> {
  const connection = await connectNats(addresses, 'corner streams', login, true);
  await new Promise<void>((resolve) => {
    const log = { info: () => {}, error: say };
    void keepStreams({ ...options, connection, log, looked: () => resolve() })
      .then(() => connection.close())
      .then(resolve);
  });
}
