import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import { optionalServices, type ServiceName } from '@corner/contracts';
import { runFileIn } from '@corner/operator';
import { consoleClientId, demoOperators, shopClientId } from '../demo/console-people.ts';
import { developmentIssuer } from '../issuer/create-issuer.ts';
import { type MessagePlaces, messagesEnvironment, walletEnvironment } from '../messages/messages-environment.ts';
import { defaultCacheFolder } from '../servers/find-nats-server.ts';
import type { NatsAccess } from '../servers/nats-access.ts';
import { tagEnvironment } from '../tags/tap-tag.ts';
import type { Host } from './hosted.ts';
import { bookKeyIn, keyFileIn } from './system-data.ts';
import { checkout, type Ports, type ReplicatedPart } from './topology.ts';

export type Payments =
  | { readonly kind: 'simulator'; readonly url: string; readonly secretKey: string; readonly webhookSecret: string }
  | { readonly kind: 'stripe'; readonly secretKey: string; readonly webhookSecrets: string };

export interface Servers {
  readonly adminUrl: string;
  readonly natsUrl: string;
}

export interface SystemSettings {
  readonly services: readonly ServiceName[];
  /** Those that do not run and are answered for with recorded examples. */
  readonly peers: readonly ServiceName[];
  readonly ports: Ports;
  readonly replicaPorts: Readonly<Record<ReplicatedPart, readonly number[]>>;
  readonly issuerUrl: string;
  readonly jwksUrl: string;
  readonly consoleSessionKey: string | null;
  readonly shop: boolean;
  readonly payments: Payments;
  readonly messages: MessagePlaces;
  readonly base: Readonly<Record<string, string | undefined>>;
  readonly dataDir: string;
  readonly fromSource: boolean;
  /** Null when each program is a process of its own. */
  readonly host: Host | null;
  readonly natsAccess: NatsAccess | null;
  readonly databaseOfEach: boolean;
}

export function serviceEnvironment(service: ServiceName, settings: SystemSettings, servers: Servers): Record<string, string | undefined> {
  return {
    ...commonEnvironment(settings),
    OTEL_SERVICE_NAME: service,
    DATABASE_URL: roleUrl(servers.adminUrl, service),
    NATS_URL: servers.natsUrl,
    ...settings.natsAccess?.loginOf(service),
    ...(service === 'orders' ? ordersEnvironment(settings) : {}),
    ...(service === 'loyalty' ? tagEnvironment(settings.base) : {}),
    ...(service === 'notifications' ? { ...messageEnvironment(settings), CONSOLE_URL: consoleUrl(settings.ports) } : {}),
    ...(service === 'directory' ? tokenEnvironment(settings) : {}),
  };
}

const ordersEnvironment = (settings: SystemSettings): Record<string, string | undefined> => ({
  ...paymentEnvironment(settings.payments),
  PUBLIC_BASE_URL: publicBaseUrl(settings),
  CONSOLE_URL: consoleUrl(settings.ports),
  BOOK_SIGNING_KEYS: settings.base.BOOK_SIGNING_KEYS ?? bookKeyIn(settings.dataDir),
});

/** The directory signs with the key of the issuer, and in its name: tokens of a sign-in and those of `corner token` are accepted alike. */
function tokenEnvironment({ dataDir, issuerUrl, jwksUrl }: SystemSettings): Record<string, string> {
  const provider = { issuer: issuerUrl, client_ids: [consoleClientId], jwks_url: jwksUrl, subject_is_id: true };
  // A customer's account is linked to a guest's customer, so its subject is no id of ours.
  const ofCustomers = { issuer: issuerUrl, client_ids: [shopClientId], jwks_url: jwksUrl, typ: 'customer' };
  return {
    TOKEN_SIGNING_KEYS_FILE: resolve(keyFileIn(dataDir)),
    SIGN_IN_PROVIDERS: JSON.stringify([provider, ofCustomers]),
    OPERATORS: JSON.stringify(demoOperators.map((operator) => ({ issuer: issuerUrl, ...operator }))),
  };
}

export function gatewayEnvironment(settings: SystemSettings, adminUrl: string, replica: number): Record<string, string | undefined> {
  return {
    ...commonEnvironment(settings),
    OTEL_SERVICE_NAME: 'gateway',
    METRICS_PORT: replica === 0 ? settings.base.METRICS_PORT : undefined,
    // The storefront forwards the customer's address, as a load balancer does, so that limits by address count the customer.
    TRUSTED_PROXIES: settings.base.TRUSTED_PROXIES ?? (settings.shop ? '127.0.0.1' : undefined),
    LIMITS_DATABASE_URL: roleUrl(adminUrl, 'gateway'),
    DOCS_TOKENS_FILE: settings.base.NODE_ENV === 'production' ? undefined : resolve(runFileIn(settings.dataDir)),
    ...Object.fromEntries(
      [...settings.services, ...settings.peers].map((service) => [`${service.toUpperCase()}_URL`, replicasOf(service, settings)]),
    ),
  };
}

export function consoleEnvironment(settings: SystemSettings, natsUrl: string): Record<string, string | undefined> {
  const { services, ports, payments, messages, natsAccess, consoleSessionKey } = settings;
  const addressOf = (name: ServiceName | 'gateway') => `http://127.0.0.1:${ports[name]}`;
  return {
    ...commonEnvironment(settings),
    OTEL_SERVICE_NAME: 'console',
    NATS_URL: natsUrl,
    ...natsAccess?.loginOf('console'),
    CONSOLE_URL: consoleUrl(ports),
    SHOP_URL: shopUrl(ports),
    GATEWAY_URL: addressOf('gateway'),
    CONSOLE_ISSUER: settings.issuerUrl,
    CONSOLE_CLIENT_ID: consoleClientId,
    CONSOLE_TOKENS: services.includes('directory') ? 'exchange' : 'provider',
    CONSOLE_SESSION_KEYS: consoleSessionKey ?? undefined,
    CONSOLE_HEALTH: ([...services, 'gateway'] as const).map((name) => `${name}=${addressOf(name)}`).join(','),
    SERVICES_LEFT_OUT: optionalServices.filter((name) => !services.includes(name)).join(','),
    PAYMENTS_SIMULATOR_URL: payments.kind === 'simulator' ? payments.url : undefined,
    MESSAGES_SIMULATOR_URL: `http://${messages.name}:${messages.ports.http}`,
  };
}

export function storefrontEnvironment(settings: SystemSettings): Record<string, string | undefined> {
  const { ports, payments, base } = settings;
  const isSimulated = payments.kind === 'simulator';
  return {
    ...commonEnvironment(settings),
    OTEL_SERVICE_NAME: 'storefront',
    SHOP_URL: shopUrl(ports),
    GATEWAY_URL: `http://127.0.0.1:${ports.gateway}`,
    ...(settings.services.includes('directory') ? { SHOP_ISSUER: settings.issuerUrl, SHOP_CLIENT_ID: shopClientId } : {}),
    STRIPE_PUBLISHABLE_KEY: isSimulated ? undefined : base.STRIPE_PUBLISHABLE_KEY,
    SANDBOX_PAYMENTS_URL: isSimulated ? `http://localhost:${ports.payments}` : undefined,
  };
}

export const shopUrl = (ports: Ports): string => `http://localhost:${ports.shop}`;
/** Browsers accept a Secure cookie from localhost over http. */
export const consoleUrl = (ports: Ports): string => `http://localhost:${ports.console}`;
const replicasOf = (service: ServiceName, { ports, replicaPorts }: SystemSettings): string =>
  [ports[service], ...replicaPorts[service]].map((port) => `http://127.0.0.1:${port}`).join(',');

export function commonEnvironment({ base, jwksUrl }: SystemSettings): Record<string, string | undefined> {
  return {
    ...base,
    NODE_ENV: base.NODE_ENV ?? 'development',
    TRIAL: '1',
    // One pool of the C library's memory, as in the Dockerfile: further ones keep the most they ever used.
    MALLOC_ARENA_MAX: '1',
    NODE_COMPILE_CACHE: base.NODE_COMPILE_CACHE ?? `${defaultCacheFolder}/compiled`,
    PATH: `${checkout}/node_modules/.bin:${base.PATH ?? ''}`,
    AUTH_ISSUER: developmentIssuer,
    AUTH_JWKS_URL: jwksUrl,
    AUTH_AUDIENCE: 'api',
    // The development issuer writes the id into sub, whatever another issuer in the caller's shell does.
    AUTH_SUBJECT_CLAIM: undefined,
    // The caller's shell may hold settings for one process, which the others must not get.
    DATABASE_URL: undefined,
    LIMITS_DATABASE_URL: undefined,
    PORT: undefined,
    METRICS_PORT: undefined,
    HOST: '127.0.0.1',
    CRASH_AT: undefined,
  };
}

function paymentEnvironment(payments: Payments): Record<string, string | undefined> {
  return payments.kind === 'simulator'
    ? { STRIPE_SECRET_KEY: payments.secretKey, STRIPE_API_BASE: payments.url, STRIPE_WEBHOOK_SECRETS: payments.webhookSecret }
    : { STRIPE_SECRET_KEY: payments.secretKey, STRIPE_API_BASE: undefined, STRIPE_WEBHOOK_SECRETS: payments.webhookSecrets };
}

const ownAccount: Readonly<Record<string, readonly string[]>> = {
  SMTP: ['SMTP_URL'],
  MAIL: ['SMTP_URL'],
  UNSUBSCRIBE: ['UNSUBSCRIBE_SECRETS'],
  FCM: ['FCM_SERVICE_ACCOUNT_FILE'],
  APNS: ['APNS_KEY_FILE'],
  WEB: ['WEB_PUSH_PUBLIC_KEY'],
  TWILIO: ['TWILIO_ACCOUNT_SID'],
  WEBHOOK: ['WEBHOOK_HOSTS'],
  WALLET: ['WALLET_APPLE_PASS_TYPE_ID', 'WALLET_GOOGLE_ISSUER_ID'],
  PUBLIC: ['PUBLIC_BASE_URL'],
};

export const publicBaseUrl = ({ base, ports }: SystemSettings): string => base.PUBLIC_BASE_URL ?? `http://127.0.0.1:${ports.gateway}`;

function messageEnvironment(settings: SystemSettings): Record<string, string> {
  const { base, messages } = settings;
  const wallet = walletEnvironment(messages, publicBaseUrl(settings));
  const simulated = Object.entries({ ...messagesEnvironment(messages), ...wallet });
  return Object.fromEntries(simulated.filter(([name]) => !ownAccount[name.split('_')[0] ?? '']?.some((own) => base[own])));
}

/** The password is derived from the administrator's, so systems on one server agree and none stores it. */
export function roleUrl(adminUrl: string, service: ServiceName | 'gateway'): string {
  const url = new URL(adminUrl);
  const role = `corner_${service}`;
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update(role).digest('hex').slice(0, 32);
  url.username = role;
  return url.href;
}
