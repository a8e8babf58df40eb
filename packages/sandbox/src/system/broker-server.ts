import { connect, type NatsConnection } from '@nats-io/transport-node';
import { findNatsServer } from '../servers/find-nats-server.ts';
import { startNats } from '../servers/nats.ts';
import { withoutPassword } from './addresses.ts';
import type { Ledger } from './ledger.ts';
import { foreignServer, type ServerHandle, startServer } from './server-handle.ts';

/** Starts NATS with JetStream, or connects to the server at `given`. */
export async function startBroker(
  dataDir: string,
  port: number,
  ledger: Ledger,
  say: (words: string) => void,
  given?: string,
): Promise<ServerHandle> {
  if (given) {
    const began = performance.now();
    return foreignServer('nats', given, await brokerVersion(given), performance.now() - began);
  }
  const folder = `${dataDir}/nats`;
  const server = await findNatsServer(undefined, say);
  return await startServer({ name: 'nats', port, folder, ledger, begin: (at) => startNats({ server, storeFolder: folder, port: at }) });
}

/** Connects to NATS with the credentials in the address. */
export async function connectNats(address: string, name: string): Promise<NatsConnection> {
  const { host, username, password, protocol } = new URL(address);
  try {
    return await connect({
      servers: host,
      name,
      timeout: 5_000,
      maxReconnectAttempts: 20,
      reconnectTimeWait: 100,
      ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
      ...(protocol === 'tls:' ? { tls: {} } : {}),
    });
  } catch (cause) {
    throw new Error(`NATS at ${withoutPassword(address)} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** The version of the server at an address. */
export async function brokerVersion(address: string): Promise<string> {
  const connection = await connectNats(address, 'corner');
  try {
    return connection.info?.version ?? 'unknown';
  } finally {
    await connection.close();
  }
}
