import { connectNats, loginIn, streamsUser } from '@corner/nats';
import { renewFiles } from '../messages/messages-environment.ts';
import type { RunningPeers } from '../peers/start-peers.ts';
import { startBroker, startKeepingStreams } from './broker-server.ts';
import { addressOfDatabase, ownDatabase, startDatabase } from './database-server.ts';
import { consoleUrl, type SystemSettings, shopUrl } from './environment.ts';
import type { Ledger } from './ledger.ts';
import type { Claims, ReplicaClaims } from './ports.ts';
import type { ServerHandle } from './server-handle.ts';
import type { ServiceProcess } from './service-process.ts';
import {
  type Migrated,
  migrateAll,
  startConsole,
  startGateway,
  startMessageProviders,
  startOne,
  startSimulator,
  startStorefront,
} from './start-processes.ts';
import type { Stopping } from './stopping.ts';
import type { OfRunning, ReplicatedPart, Report } from './topology.ts';

export interface Parts {
  readonly postgres: ServerHandle;
  readonly nats: ServerHandle;
  readonly payments: ServiceProcess | null;
  readonly messages: ServiceProcess;
  readonly replicas: Replicas;
  readonly services: OfRunning<ServiceProcess>;
  readonly console: ServiceProcess | null;
  readonly shop: ServiceProcess | null;
}

export type Replicas = OfRunning<readonly ServiceProcess[]>;

export interface PartsOptions {
  readonly settings: SystemSettings;
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly replicaClaims: ReplicaClaims;
  readonly stopping: Stopping;
  readonly report: Report;
  readonly say: (line: string) => void;
  readonly accounts: readonly string[];
}

export async function startParts(options: PartsOptions): Promise<Parts> {
  const starting = beginAll(options);
  const { postgres, nats, payments, messages, migrated, running, gateway, console, shop, peers } = starting;
  const reports = reportWhenReady(starting, options);
  await allOrFirstFault(
    [migrated, postgres, nats, payments, messages, gateway, console, shop, peers, ...running, ...reports],
    options.stopping,
  );
  const started = [...(await Promise.all(running)), await gateway];
  const names = [...options.settings.services, 'gateway'] as const;
  return {
    postgres: await postgres,
    nats: await nats,
    payments: await payments,
    messages: await messages,
    replicas: Object.fromEntries(names.map((name, n) => [name, started[n]])) as Replicas,
    services: Object.fromEntries(names.map((name, n) => [name, started[n]?.[0]])) as Parts['services'],
    console: await console,
    shop: await shop,
  };
}

interface Starting {
  readonly postgres: Promise<ServerHandle>;
  readonly nats: Promise<ServerHandle>;
  readonly payments: Promise<ServiceProcess | null>;
  readonly messages: Promise<ServiceProcess>;
  readonly migrated: Promise<readonly Migrated[]>;
  readonly running: readonly Promise<readonly ServiceProcess[]>[];
  readonly gateway: Promise<readonly ServiceProcess[]>;
  readonly console: Promise<ServiceProcess> | null;
  readonly shop: Promise<ServiceProcess> | null;
  readonly peers: Promise<RunningPeers> | null;
}

function beginAll(options: PartsOptions): Starting {
  const { settings, ledger, claims, replicaClaims, stopping, report } = options;
  const means = { ledger, claims, replicaClaims };
  const { services, base, dataDir, ports } = settings;
  const replicasOf = (part: ReplicatedPart, start: (replica: number) => ServiceProcess) =>
    Promise.all([0, ...replicaClaims[part].keys().map((n) => n + 1)].map((replica) => readyOf(stopping.process(start(replica)))));

  report({ part: 'postgres', done: false, detail: 'starting' });
  report({ part: 'nats', done: false, detail: 'starting' });
  const postgres = startDatabase(dataDir, ports.postgres, ledger, base.DATABASE_URL).then(stopping.server);
  const fetching = (detail: string) => report({ part: 'nats', done: false, detail });
  const nats = startBroker({ dataDir, port: ports.nats, ledger, say: fetching, base, access: settings.natsAccess })
    .then(stopping.server)
    .then((server) => withStreams(server, options));
  const payments = startPayments(options);
  const messages = readyOf(stopping.process(startMessageProviders(settings, means)));
  const migrated = migrateWhen(postgres, options);
  const running = services.map(async (service, index) => {
    const keys = service === 'notifications' && !renewFiles(settings.messages) ? messages : undefined;
    const [parts, { url: natsUrl }] = await Promise.all([migrated, nats, keys]);
    const { adminUrl } = parts[index] as Migrated;
    stopping.signal.throwIfAborted();
    report({ part: 'services', done: false, detail: 'starting' });
    return await replicasOf(service, (replica) => startOne(service, { adminUrl, natsUrl }, { settings, means, replica }));
  });
  const gateway = postgres.then(({ url: shared }) => {
    const url = settings.databaseOfEach ? addressOfDatabase(shared, 'corner_gateway') : shared;
    stopping.signal.throwIfAborted();
    return replicasOf('gateway', (replica) => startGateway(url, { settings, means, replica }));
  });
  const console = settings.consoleSessionKey === null ? null : startConsoleWhen(nats, options);
  const shop = settings.shop ? startStorefrontWithPages(options) : null;
  const peers = settings.peers.length === 0 ? null : startPeersWhen(nats, options);
  return { postgres, nats, payments, messages, migrated, running, gateway, console, shop, peers };
}

async function migrateWhen(postgres: Promise<ServerHandle>, { settings, stopping, report }: PartsOptions): Promise<readonly Migrated[]> {
  const { url: shared } = await postgres;
  const addressOf = (part: ReplicatedPart) => (settings.databaseOfEach ? ownDatabase(shared, `corner_${part}`) : shared);
  const parts = await Promise.all(
    [...settings.services, 'gateway' as const].map(async (part) => ({ part, adminUrl: await addressOf(part) })),
  );
  stopping.signal.throwIfAborted();
  report({ part: 'postgres', done: false, detail: 'migrating' });
  await migrateAll(parts, settings);
  return parts;
}

function reportWhenReady(
  starting: Starting,
  { settings: { services, peers, base, ports }, report }: PartsOptions,
): (Promise<void> | undefined)[] {
  const began = performance.now();
  const spent = () => performance.now() - began;
  const ownStripe = base.STRIPE_WEBHOOK_SECRETS ? 'Stripe' : 'Stripe, its webhooks refused without STRIPE_WEBHOOK_SECRETS';
  return [
    Promise.all([starting.postgres, starting.migrated]).then(([{ url, version, ours }]) => {
      const where = ours ? new URL(url).port : new URL(url).host;
      report({ part: 'postgres', done: true, version: version.split('.')[0] ?? version, where, detail: 'migrations current', ms: spent() });
    }),
    Promise.all(starting.running).then(() =>
      report({
        part: 'services',
        done: true,
        detail: `${services.join(' ')}${peers.length > 0 ? '; examples answer for the others' : ''}`,
        ms: spent(),
      }),
    ),
    starting.gateway.then(() => report({ part: 'gateway', done: true, where: `http://localhost:${ports.gateway}/api/v1`, detail: '' })),
    starting.console?.then(() => report({ part: 'console', done: true, where: consoleUrl(ports), detail: '' })),
    starting.shop?.then(() => report({ part: 'shop', done: true, where: shopUrl(ports), detail: '' })),
    starting.messages.then(({ port, url }) =>
      report({ part: 'messages', done: true, where: String(port), detail: `mail and push, simulated: see ${url}/` }),
    ),
    starting.payments.then((simulator) => {
      const detail = simulator ? 'simulator (set STRIPE_SECRET_KEY for Stripe)' : ownStripe;
      report({ part: 'payments', done: true, detail, ...(simulator ? { where: String(simulator.port) } : {}) });
    }),
  ];
}

async function withStreams(nats: ServerHandle, { settings, stopping, say }: PartsOptions): Promise<ServerHandle> {
  const { base, natsAccess } = settings;
  await startKeepingStreams({
    addresses: nats.url,
    login: { ...loginIn(base), ...natsAccess?.loginOf(streamsUser) },
    namespace: base.NATS_NAMESPACE ?? '',
    replicas: base.NATS_REPLICAS ? Number(base.NATS_REPLICAS) : undefined,
    say,
    stopped: stopping.signal,
  });
  return nats;
}

/** Services that do not run have a port each, where the gateway looks for them. */
async function startPeersWhen(nats: Promise<ServerHandle>, { settings, claims, stopping }: PartsOptions): Promise<RunningPeers> {
  const { peers, base, natsAccess } = settings;
  const { startPeers } = await import('../peers/start-peers.ts');
  const connection = await connectNats((await nats).url, 'corner peers', { ...loginIn(base), ...natsAccess?.administrator }, true);
  const places = Object.fromEntries(peers.map((service) => [service, { socket: claims[service].socket }]));
  return stopping.server(await startPeers({ places, connection, namespace: base.NATS_NAMESPACE ?? '' }));
}

async function startPayments({ settings, ledger, claims, stopping, accounts }: PartsOptions): Promise<ServiceProcess | null> {
  if (settings.payments.kind === 'stripe') return null;
  return await readyOf(stopping.process(startSimulator(settings, settings.payments.webhookSecret, accounts, { ledger, claims })));
}

/** The console needs NATS, and its pages, which are built when their sources have changed. */
async function startConsoleWhen(
  nats: Promise<ServerHandle>,
  { settings, ledger, claims, stopping, report }: PartsOptions,
): Promise<ServiceProcess> {
  report({ part: 'console', done: false, detail: 'starting' });
  const { buildConsolePages } = await import('@corner/console-pages/build');
  const [{ url: natsUrl }] = await Promise.all([nats, buildConsolePages()]);
  stopping.signal.throwIfAborted();
  return await readyOf(stopping.process(startConsole(settings, natsUrl, { ledger, claims })));
}

async function startStorefrontWithPages({ settings, ledger, claims, stopping, report }: PartsOptions): Promise<ServiceProcess> {
  report({ part: 'shop', done: false, detail: 'starting' });
  const { buildShopPages } = await import('@corner/shop-pages/build');
  await buildShopPages();
  stopping.signal.throwIfAborted();
  return await readyOf(stopping.process(startStorefront(settings, { ledger, claims })));
}

async function readyOf(process: ServiceProcess): Promise<ServiceProcess> {
  await process.ready();
  return process;
}

async function allOrFirstFault(all: readonly (Promise<unknown> | null | undefined)[], stopping: Stopping): Promise<void> {
  try {
    await Promise.all(all);
  } catch (fault) {
    stopping.giveUp();
    await Promise.allSettled(all);
    throw fault;
  }
}
