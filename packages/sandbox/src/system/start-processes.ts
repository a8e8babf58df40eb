import type { ServiceName } from '@corner/contracts';
import {
  commonEnvironment,
  consoleEnvironment,
  gatewayEnvironment,
  type Servers,
  type SystemSettings,
  serviceEnvironment,
} from './environment.ts';
import type { Ledger } from './ledger.ts';
import { migrateService } from './migrations.ts';
import type { Claims } from './ports.ts';
import { roleUrl } from './roles.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { checkout, folderOf } from './topology.ts';

/** The key that the simulator accepts. It is valid nowhere else. */
export const simulatorKey = 'sk_test_corner';

/** Where processes are recorded, and the sockets they take over. */
export interface Means {
  readonly ledger: Ledger;
  readonly claims: Claims;
}

/** Starts the payment simulator, whose books survive a restart. `accounts` are the connected accounts it knows. */
export function startSimulator(
  settings: SystemSettings,
  webhookSecret: string,
  accounts: readonly string[],
  { ledger, claims }: Means,
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

/** Starts the gateway. */
export function startGateway(settings: SystemSettings, adminUrl: string, { ledger, claims }: Means): ServiceProcess {
  const cwd = folderOf('gateway');
  return startService({
    name: 'gateway',
    sockets: { PORT: claims.gateway },
    program: `${cwd}/src/main.ts`,
    cwd,
    env: gatewayEnvironment(settings, adminUrl),
    logFile: logFileOf(settings, 'gateway'),
    ledger,
  });
}

/** Starts the console. */
export function startConsole(settings: SystemSettings, natsUrl: string, { ledger, claims }: Means): ServiceProcess {
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

/** Starts a service; does not wait until it is ready. */
export function startOne(service: ServiceName, settings: SystemSettings, servers: Servers, { ledger, claims }: Means): ServiceProcess {
  const cwd = folderOf(service);
  return startService({
    name: service,
    sockets: { PORT: claims[service] },
    program: `${cwd}/src/main.ts`,
    cwd,
    env: serviceEnvironment(service, settings, servers),
    logFile: logFileOf(settings, service),
    ledger,
  });
}

/** Path of a process's log. */
const logFileOf = ({ dataDir }: Pick<SystemSettings, 'dataDir'>, name: string): string => `${dataDir}/log/${name}.log`;
