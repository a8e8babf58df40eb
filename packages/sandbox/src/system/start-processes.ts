import type { ServiceName } from '@corner/contracts';
import type { ClaimedPort } from '../servers/find-port.ts';
import { describeExit, startChild } from './child.ts';
import {
  commonEnvironment,
  consoleEnvironment,
  gatewayEnvironment,
  publicBaseUrl,
  roleUrl,
  type Servers,
  type SystemSettings,
  serviceEnvironment,
  storefrontEnvironment,
} from './environment.ts';
import { errorLines } from './error-lines.ts';
import type { Ledger } from './ledger.ts';
import { onceMigrated } from './migrated.ts';
import type { Claims, ReplicaClaims } from './ports.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { checkout, folderOf, programFile, type ReplicatedPart } from './topology.ts';

export const simulatorKey = 'sk_test_corner';

const programOf = (source: string, settings: SystemSettings) => ({
  program: programFile(source, settings),
  host: settings.host?.start.bind(null, source),
});

export interface Means {
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly replicaClaims: ReplicaClaims;
}

export function startSimulator(
  settings: SystemSettings,
  webhookSecret: string,
  accounts: readonly string[],
  { ledger, claims }: Omit<Means, 'replicaClaims'>,
): ServiceProcess {
  return startService({
    name: 'payments',
    sockets: { PORT: claims.payments },
    ...programOf('packages/sandbox/src/payments/main.ts', settings),
    cwd: checkout,
    env: {
      ...commonEnvironment(settings),
      PAYMENTS_API_KEY: simulatorKey,
      PAYMENTS_WEBHOOK_URL: `http://127.0.0.1:${settings.ports.gateway}/webhooks/stripe`,
      PAYMENTS_WEBHOOK_SECRET: webhookSecret,
      PAYMENTS_STATE: `${settings.dataDir}/payments.jsonl`,
      PAYMENTS_ACCOUNTS: accounts.join(','),
    },
    logFile: logFileOf(settings, 'payments'),
    ledger,
    readyPath: '/_sim/livez',
  });
}

export function startMessageProviders(settings: SystemSettings, { ledger, claims }: Means): ServiceProcess {
  const { folder, name } = settings.messages;
  return startService({
    name: 'messages',
    sockets: { PORT: claims.messages, MESSAGES_SMTP_PORT: claims.smtp, MESSAGES_APNS_PORT: claims.apns },
    ...programOf('packages/sandbox/src/messages/main.ts', settings),
    cwd: checkout,
    env: {
      ...commonEnvironment(settings),
      MESSAGES_FOLDER: folder,
      MESSAGES_NAME: name,
      MESSAGES_TEXTS_URL: `http://127.0.0.1:${settings.ports.gateway}/webhooks/twilio`,
      MESSAGES_TEXTS_ADDRESS: `${publicBaseUrl(settings)}/webhooks/twilio`,
    },
    logFile: logFileOf(settings, 'messages'),
    ledger,
    readyPath: '/_sim/livez',
  });
}

export function startConsole(settings: SystemSettings, natsUrl: string, { ledger, claims }: Omit<Means, 'replicaClaims'>): ServiceProcess {
  const cwd = folderOf('console');
  return startService({
    name: 'console',
    sockets: { PORT: claims.console },
    ...programOf('services/console/src/development.ts', settings),
    cwd,
    env: consoleEnvironment(settings, natsUrl),
    logFile: logFileOf(settings, 'console'),
    ledger,
  });
}

export function startStorefront(settings: SystemSettings, { ledger, claims }: Omit<Means, 'replicaClaims'>): ServiceProcess {
  const cwd = folderOf('console');
  return startService({
    name: 'shop',
    sockets: { PORT: claims.shop },
    ...programOf('services/console/src/storefront.ts', settings),
    cwd,
    env: storefrontEnvironment(settings),
    logFile: logFileOf(settings, 'shop'),
    ledger,
  });
}

export interface Migrated {
  readonly part: ReplicatedPart;
  readonly adminUrl: string;
}

/**
 * Uses one process, since separate ones would load the same modules again. Skipped if the same was done in this data folder before. Rejects
 * with the program's output.
 */
export async function migrateAll(parts: readonly Migrated[], settings: SystemSettings): Promise<void> {
  const common = commonEnvironment(settings);
  const urls = parts.map(({ part, adminUrl }) => ({ part, MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl(adminUrl, part) }));
  if (settings.host) {
    for (const { part, ...env } of urls) await settings.host.migrate(part, { ...common, ...env });
    return;
  }
  const program = programFile('packages/platform/src/migrate.ts', settings);
  const dataDir = settings.fromSource || settings.base.DATABASE_URL ? null : settings.dataDir;
  const logFile = logFileOf(settings, 'migrations');
  await onceMigrated({ dataDir, program, parts }, async () => {
    const exit = await startChild({ program, cwd: checkout, env: { ...common, MIGRATIONS: JSON.stringify(urls) }, logFile }).exited;
    if (exit.code !== 0) throw new Error(`the migrations failed: the program ${describeExit(exit)}\n${errorLines(logFile)}`.trimEnd());
  });
}

interface Replica {
  readonly settings: SystemSettings;
  readonly means: Means;
  readonly replica: number;
}

export const startGateway = (adminUrl: string, { settings, means, replica }: Replica): ServiceProcess =>
  startReplica('gateway', gatewayEnvironment(settings, adminUrl, replica), { settings, means, replica });

export const startOne = (service: ServiceName, servers: Servers, { settings, means, replica }: Replica): ServiceProcess =>
  startReplica(service, serviceEnvironment(service, settings, servers), { settings, means, replica });

function startReplica(
  part: ReplicatedPart,
  env: Readonly<Record<string, string | undefined>>,
  { settings, means: { ledger, claims, replicaClaims }, replica }: Replica,
): ServiceProcess {
  const name = replica === 0 ? part : `${part}-${replica + 1}`;
  const socket = replica === 0 ? claims[part] : (replicaClaims[part][replica - 1] as ClaimedPort);
  const cwd = folderOf(part);
  return startService({
    name,
    sockets: { PORT: socket },
    ...programOf(`services/${part}/src/main.ts`, settings),
    cwd,
    env,
    logFile: logFileOf(settings, name),
    ledger,
    ...(part === 'directory' ? { readyPath: '/livez' } : {}),
  });
}

const logFileOf = ({ dataDir }: Pick<SystemSettings, 'dataDir'>, name: string): string => `${dataDir}/log/${name}.log`;
