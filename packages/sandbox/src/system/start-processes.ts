import type { ServiceName } from '@corner/contracts';
import type { ClaimedPort } from '../servers/find-port.ts';
import { describeExit, startChild } from './child.ts';
import {
  commonEnvironment,
  consoleEnvironment,
  gatewayEnvironment,
  roleUrl,
  type Servers,
  type SystemSettings,
  serviceEnvironment,
} from './environment.ts';
import { errorLines } from './error-lines.ts';
import type { Ledger } from './ledger.ts';
import type { Claims, ReplicaClaims } from './ports.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { checkout, folderOf, type ReplicatedPart } from './topology.ts';

/** The key that the simulator accepts. It is valid nowhere else. */
export const simulatorKey = 'sk_test_corner';

/** Where processes are recorded, and the sockets they take over. */
export interface Means {
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly replicaClaims: ReplicaClaims;
}

/** Starts the payment simulator, whose books survive a restart. `accounts` are the connected accounts it knows. */
export function startSimulator(
  settings: SystemSettings,
  webhookSecret: string,
  accounts: readonly string[],
  { ledger, claims }: Omit<Means, 'replicaClaims'>,
): ServiceProcess {
  return startService({
    name: 'payments',
    sockets: { PORT: claims.payments },
    program: `${checkout}/packages/sandbox/src/payments/main.ts`,
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

/** Starts the simulated message providers. Their keys are kept in the data folder, so that they stay valid after a restart. */
export function startMessageProviders(settings: SystemSettings, { ledger, claims }: Means): ServiceProcess {
  const { folder, name } = settings.messages;
  return startService({
    name: 'messages',
    sockets: { PORT: claims.messages, MESSAGES_SMTP_PORT: claims.smtp, MESSAGES_APNS_PORT: claims.apns },
    program: `${checkout}/packages/sandbox/src/messages/main.ts`,
    cwd: checkout,
    env: {
      ...commonEnvironment(settings),
      MESSAGES_FOLDER: folder,
      MESSAGES_NAME: name,
    },
    logFile: logFileOf(settings, 'messages'),
    ledger,
    readyPath: '/_sim/livez',
  });
}

/** Starts a replica of the gateway, from 0; does not wait until it is ready. */
export const startGateway = (settings: SystemSettings, adminUrl: string, means: Means, replica: number): ServiceProcess =>
  startReplica('gateway', gatewayEnvironment(settings, adminUrl, replica), settings, means, replica);

/** Starts the console. */
export function startConsole(settings: SystemSettings, natsUrl: string, { ledger, claims }: Omit<Means, 'replicaClaims'>): ServiceProcess {
  const cwd = folderOf('console');
  return startService({
    name: 'console',
    sockets: { PORT: claims.console },
    program: `${cwd}/src/main.ts`,
    cwd,
    env: consoleEnvironment(settings, natsUrl),
    logFile: logFileOf(settings, 'console'),
    ledger,
  });
}

/** Runs the migrations of a service, or of the gateway. */
export async function migrate(service: ServiceName | 'gateway', settings: SystemSettings, adminUrl: string): Promise<void> {
  await migrateService({
    service,
    cwd: folderOf(service),
    adminUrl,
    roleUrl: roleUrl(adminUrl, service),
    env: commonEnvironment(settings),
    logFile: logFileOf(settings, service),
  });
}

/** Starts a replica of a service, from 0; does not wait until it is ready. */
export const startOne = (service: ServiceName, settings: SystemSettings, servers: Servers, means: Means, replica: number): ServiceProcess =>
  startReplica(service, serviceEnvironment(service, settings, servers), settings, means, replica);

/** The first replica has the name of its service; the others have a number behind it. */
function startReplica(
  part: ReplicatedPart,
  env: Readonly<Record<string, string | undefined>>,
  settings: SystemSettings,
  { ledger, claims, replicaClaims }: Means,
  replica: number,
): ServiceProcess {
  const name = replica === 0 ? part : `${part}-${replica + 1}`;
  const socket = replica === 0 ? claims[part] : (replicaClaims[part][replica - 1] as ClaimedPort);
  const cwd = folderOf(part);
  return startService({
    name,
    sockets: { PORT: socket },
    program: `${cwd}/src/main.ts`,
    cwd,
    env,
    logFile: logFileOf(settings, name),
    ledger,
  });
}

/** Path of a process's log. */
const logFileOf = ({ dataDir }: Pick<SystemSettings, 'dataDir'>, name: string): string => `${dataDir}/log/${name}.log`;

interface MigrationOptions {
  readonly service: string;
  readonly cwd: string;
  /** An administrator's address of the database, and the service's own. */
  readonly adminUrl: string;
  readonly roleUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
}

/** Runs a service's own migration program. Rejects with the end of its output when it fails. */
async function migrateService({ service, cwd, adminUrl, roleUrl, env, logFile }: MigrationOptions): Promise<void> {
  const child = startChild({
    program: `${cwd}/src/migrate.ts`,
    cwd,
    env: { ...env, MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl },
    logFile,
  });
  const exit = await child.exited;
  if (exit.code === 0) return;
  throw new Error(`the migrations of ${service} failed: the program ${describeExit(exit)}\n${errorLines(logFile)}`.trimEnd());
}
