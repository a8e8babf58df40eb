import { type ServiceName, services } from '@corner/contracts';

/** A process that has a schema, which a job migrates: the services and the gateway. */
export type MigratedName = ServiceName | 'gateway';
export const migrated: readonly MigratedName[] = [...services, 'gateway'];

/** A process that browsers reach: both are programs of the console's image. */
export const pageServers = ['console', 'storefront'] as const;
export type ProcessName = MigratedName | (typeof pageServers)[number];
export const processes: readonly ProcessName[] = [...migrated, ...pageServers];

/** Whether callers outside the cluster reach it. Its port is public, so its metrics are on another one. */
export const isPublic = (name: ProcessName): name is 'gateway' | (typeof pageServers)[number] =>
  name === 'gateway' || pageServers.some((server) => server === name);

/** Where a pod finds its secrets, one file for each key. */
export const secretsFolder = '/run/secrets/corner';
export const ports = { http: 8080, metrics: 9464, nats: 4222, natsCluster: 6222, natsMonitor: 8222, postgres: 5432 } as const;

/** The servers of the NATS cluster, by the names that the StatefulSet gives them. */
export const natsServers = [0, 1, 2].map((index) => `nats-${index}.nats`);

export const natsAddresses = natsServers.map((server) => `nats://${server}:${ports.nats}`).join(',');

/**
 * Seconds after which every gateway knows of a new pod: cluster DNS keeps a reply for 30 s, and the gateway looks every 5 s. An old pod
 * serves for as long after SIGTERM, so no gateway knows only pods that are gone.
 */
export const drainSeconds = 40;

/** Settings of every process. An overlay adds the identity provider. */
export const platformSettings = { LOG_LEVEL: 'info', DRAIN_SECONDS: String(drainSeconds) };

/** The secrets of each process: keys of the Secret that has the process' name. */
export const secrets: Readonly<Record<ProcessName, readonly string[]>> = {
  orders: ['DATABASE_URL', 'NATS_PASSWORD', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'DEVICE_HASH_SECRET', 'BOOK_SIGNING_KEYS'],
  loyalty: ['DATABASE_URL', 'NATS_PASSWORD', 'NFC_KEYS', 'STAMP_CODE_SECRET'],
  queue: ['DATABASE_URL', 'NATS_PASSWORD'],
  notifications: ['DATABASE_URL', 'NATS_PASSWORD', 'SMTP_URL', 'UNSUBSCRIBE_SECRETS', 'WEBHOOK_SECRET'],
  directory: ['DATABASE_URL', 'NATS_PASSWORD', 'TOKEN_SIGNING_KEYS'],
  gateway: ['DATABASE_URL'],
  console: ['NATS_PASSWORD', 'CONSOLE_SESSION_KEYS', 'CONSOLE_CLIENT_SECRET'],
  storefront: [],
};

const fileOf = (key: string): string => `${secretsFolder}/${key}`;
const addressOf = (name: ProcessName): string => `http://${name}:${ports.http}`;
const secretFilesOf = (name: ProcessName) => Object.fromEntries(secrets[name].map((key) => [`${key}_FILE`, fileOf(key)]));

/** The settings of a process beside those of every process: where its secrets are, and whom it calls. */
export function settingsOf(name: ProcessName): Readonly<Record<string, string>> {
  if (name === 'gateway') {
    return {
      METRICS_PORT: String(ports.metrics),
      LIMITS_DATABASE_URL_FILE: fileOf('DATABASE_URL'),
      ...Object.fromEntries(services.map((service) => [`${service.toUpperCase()}_URL`, addressOf(service)])),
    };
  }
  if (name === 'console') {
    return {
      METRICS_PORT: String(ports.metrics),
      NATS_URL: natsAddresses,
      NATS_USER: name,
      GATEWAY_URL: addressOf('gateway'),
      CONSOLE_HEALTH: migrated.map((process) => `${process}=${addressOf(process)}`).join(','),
      ...secretFilesOf(name),
    };
  }
  if (name === 'storefront') return { METRICS_PORT: String(ports.metrics), GATEWAY_URL: addressOf('gateway') };
  return {
    NATS_URL: natsAddresses,
    NATS_USER: name,
    ...secretFilesOf(name),
  };
}

export const migrationSettings = {
  DATABASE_URL_FILE: fileOf('DATABASE_URL'),
  MIGRATION_DATABASE_URL_FILE: fileOf('MIGRATION_DATABASE_URL'),
};
