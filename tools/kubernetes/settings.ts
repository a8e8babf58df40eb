import { type ServiceName, services } from '@corner/contracts';

export type MigratedName = ServiceName | 'gateway';
export const migrated: readonly MigratedName[] = [...services, 'gateway'];

export const pageServers = ['console', 'storefront'] as const;
export type ProcessName = MigratedName | (typeof pageServers)[number];
export const processes: readonly ProcessName[] = [...migrated, ...pageServers];

/** The port of such a process is public, so its metrics are on another one. */
export const isPublic = (name: ProcessName): name is 'gateway' | (typeof pageServers)[number] =>
  name === 'gateway' || pageServers.some((server) => server === name);

export const secretsFolder = '/run/secrets/corner';
export const ports = { http: 8080, metrics: 9464, nats: 4222, natsCluster: 6222, natsMonitor: 8222, postgres: 5432 } as const;

export const natsServers = [0, 1, 2].map((index) => `nats-${index}.nats`);

export const natsAddresses = natsServers.map((server) => `nats://${server}:${ports.nats}`).join(',');

/**
 * Seconds after which every gateway has found a new pod: cluster DNS keeps a reply for 30 s, and the gateway resolves every 5 s. An old pod
 * serves for that long after SIGTERM, so no gateway has only pods that have ended.
 */
export const drainSeconds = 40;

/** An overlay adds the identity provider. */
export const platformSettings = { LOG_LEVEL: 'info', DRAIN_SECONDS: String(drainSeconds) };

/** Keys of the Secret that has the process' name. */
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
