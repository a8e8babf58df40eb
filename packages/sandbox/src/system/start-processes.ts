import type { ServiceName } from '@corner/contracts';
import { type Beneath, commonEnvironment, gatewayEnvironment, type Surroundings, serviceEnvironment } from './environment.ts';
import type { Ledger } from './ledger.ts';
import { migrateService } from './migrations.ts';
import { roleUrl } from './roles.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { checkout, folderOf } from './topology.ts';

/** The key that the simulator accepts. It is valid nowhere else. */
export const simulatorKey = 'sk_test_corner';

/** Starts the payment simulator, whose books survive a restart. `accounts` are the connected accounts it knows. */
export function startSimulator(around: Surroundings, webhookSecret: string, accounts: readonly string[], ledger: Ledger): ServiceProcess {
  return startService({
    name: 'payments',
    port: around.ports.payments,
    program: `${checkout}/packages/sandbox/src/payments/main.ts`,
    cwd: checkout,
    env: {
      ...commonEnvironment(around),
      PAYMENTS_API_KEY: simulatorKey,
      PAYMENTS_WEBHOOK_URL: `http://127.0.0.1:${around.ports.gateway}/webhooks/stripe`,
      PAYMENTS_WEBHOOK_SECRET: webhookSecret,
      PAYMENTS_STATE: `${around.dataDir}/payments.jsonl`,
      PAYMENTS_ACCOUNTS: accounts.join(','),
    },
    logFile: logFileOf(around, 'payments'),
    ledger,
    readyPath: '/_sim/livez',
  });
}

/** Starts the simulated message providers. Their keys are kept in the data folder, so that they stay valid after a restart. */
export function startFarSides(around: Surroundings, ledger: Ledger): ServiceProcess {
  const { folder, name, ports } = around.messages;
  return startService({
    name: 'messages',
    port: ports.http,
    program: `${checkout}/packages/sandbox/src/messages/main.ts`,
    cwd: checkout,
    env: {
      ...commonEnvironment(around),
      MESSAGES_FOLDER: folder,
      MESSAGES_NAME: name,
      MESSAGES_SMTP_PORT: String(ports.smtp),
      MESSAGES_APNS_PORT: String(ports.apns),
    },
    logFile: logFileOf(around, 'messages'),
    ledger,
    readyPath: '/_sim/livez',
  });
}

/** Starts the gateway. */
export function startGateway(around: Surroundings, adminUrl: string, ledger: Ledger): ServiceProcess {
  const cwd = folderOf('gateway');
  return startService({
    name: 'gateway',
    port: around.ports.gateway,
    program: `${cwd}/src/main.ts`,
    cwd,
    env: gatewayEnvironment(around, adminUrl),
    logFile: logFileOf(around, 'gateway'),
    ledger,
  });
}

/** Runs the migrations of a service, or of the gateway. */
export async function migrate(service: ServiceName | 'gateway', around: Surroundings, adminUrl: string): Promise<void> {
  await migrateService({
    service,
    cwd: folderOf(service),
    adminUrl,
    roleUrl: roleUrl(adminUrl, service),
    env: commonEnvironment(around),
    logFile: logFileOf(around, service),
  });
}

/** Starts a service; does not wait until it is ready. */
export function startOne(service: ServiceName, around: Surroundings, beneath: Beneath, ledger: Ledger): ServiceProcess {
  const cwd = folderOf(service);
  return startService({
    name: service,
    port: around.ports[service],
    program: `${cwd}/src/main.ts`,
    cwd,
    env: serviceEnvironment(service, around, beneath),
    logFile: logFileOf(around, service),
    ledger,
  });
}

/** Path of a process's log. */
const logFileOf = ({ dataDir }: Pick<Surroundings, 'dataDir'>, name: string): string => `${dataDir}/log/${name}.log`;
