import { connectOptions, inboxOf, loginFault, natsLogin, userOf, withoutPasswords } from '@corner/nats';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { findNatsServer } from '../servers/find-nats-server.ts';
import { type Login, startNats } from '../servers/nats.ts';
import { connectMs } from './addresses.ts';
import type { Ledger } from './ledger.ts';
import type { NatsAccess } from './nats-access.ts';
import { foreignServer, type ServerHandle, startServer } from './server-handle.ts';

export interface BrokerOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly ledger: Ledger;
  readonly say: (words: string) => void;
  readonly base: Readonly<Record<string, string | undefined>>;
  readonly access: NatsAccess | null;
}

/** Starts NATS with JetStream, or connects to the servers that NATS_URL of `base` names. */
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

/** Returns the login in an environment. Throws an error that names the wrong settings. */
export function loginIn(env: Readonly<Record<string, string | undefined>>): Login {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const { success, data, error } = z.object(natsLogin).omit({ NATS_URL: true }).safeParse(present);
  if (!success) throw new Error(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  return data;
}

/**
 * Connects to NATS at `addresses`, separated by commas. A lasting connection comes back whenever the server does; any other one gives up after two
 * seconds.
 */
export async function connectNats(addresses: string, name: string, login: Login = {}, lasting = false): Promise<NatsConnection> {
  const all = { ...login, NATS_URL: addresses };
  if (!natsLogin.NATS_URL.safeParse(addresses).success)
    throw new Error('this is no address of NATS; one looks like nats://host:4222, several are separated by commas');
  const fault = loginFault(all);
  if (fault) throw new Error(fault);
  try {
    return await connect({
      ...connectOptions(all),
      name,
      ...(userOf(all) ? { inboxPrefix: inboxOf(userOf(all) ?? '') } : {}),
      timeout: connectMs,
      maxReconnectAttempts: lasting ? -1 : 20,
      ignoreAuthErrorAbort: lasting,
      reconnectTimeWait: 100,
    });
  } catch (cause) {
    throw new Error(`NATS at ${withoutPasswords(addresses)} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** The version of the server at the first address that responds. */
export async function brokerVersion(addresses: string, login?: Login): Promise<string> {
  const connection = await connectNats(addresses, 'corner', login);
  try {
    return connection.info?.version ?? 'unknown';
  } finally {
    await connection.close();
  }
}
