import type { DirectoryFile } from '@corner/contracts';
import { withoutPasswords } from '@corner/nats';
import type { RunFile } from '@corner/operator';
import { demoTokens } from '../demo/demo-tokens.ts';
import type { RunningIssuer } from '../issuer/start-issuer.ts';
import { withoutPassword } from './database-server.ts';
import { consoleUrl, type SystemSettings, shopUrl } from './environment.ts';
import type { Parts } from './start-parts.ts';

export async function describeRun(
  { ports }: SystemSettings,
  parts: Parts & { readonly natsUrl: string },
  directory: DirectoryFile | null,
  issuer: RunningIssuer,
): Promise<RunFile> {
  const { postgres, nats, payments, messages } = parts;
  const gateway = `http://localhost:${ports.gateway}`;
  return {
    gateway,
    docs: `${gateway}/docs`,
    console: parts.console && consoleUrl(ports),
    shop: parts.shop && shopUrl(ports),
    payments: payments?.url ?? null,
    messages: messages.url,
    issuer: issuer.url,
    postgres: postgres.ours ? postgres.url : withoutPassword(postgres.url),
    nats: nats.ours ? parts.natsUrl : withoutPasswords(nats.url),
    services: addressesOf(parts),
    tokens: await demoTokens(issuer),
    stores: (directory?.stores ?? []).map(({ id, code, name }) => ({ id, code, name })),
    customers: (directory?.customers ?? []).map(({ id, name, email, push_devices }) => ({
      id,
      name: name ?? '',
      addresses: [...(email ? [email] : []), ...push_devices.map((device) => device.id)],
    })),
  };
}

export const addressesOf = ({ services, console, shop }: Pick<Parts, 'services' | 'console' | 'shop'>): RunFile['services'] =>
  Object.fromEntries(
    Object.entries({ ...services, ...(console ? { console } : {}), ...(shop ? { shop } : {}) }).map(([name, { url, pid }]) => [
      name,
      { url, pid },
    ]),
  );
