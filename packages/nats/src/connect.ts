import { connect, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { connectOptions, loginFault, userOf } from './connect-options.ts';
import { type NatsLogin, natsLogin, withoutPasswords } from './settings.ts';
import { inboxOf } from './users.ts';

export type Login = Omit<NatsLogin, 'NATS_URL'>;

/**
 * Milliseconds that a server may take to accept a connection, on a machine that starts a whole system. An address that refuses fails at
 * once.
 */
const connectMs = 30_000;

/** Throws an error that names the wrong settings. */
export function loginIn(env: Readonly<Record<string, string | undefined>>): Login {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const { success, data, error } = z.object(natsLogin).omit({ NATS_URL: true }).safeParse(present);
  if (!success) throw new Error(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  return data;
}

/** Connects to NATS at `addresses`, separated by commas. Only a lasting connection comes back with the server; others give up after 2 s. */
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

export async function brokerVersion(addresses: string, login?: Login): Promise<string> {
  const connection = await connectNats(addresses, 'corner', login);
  try {
    return connection.info?.version ?? 'unknown';
  } finally {
    await connection.close();
  }
}
