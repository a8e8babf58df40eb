import { services } from '@corner/contracts';
import { loginIn, streamsUser } from '@corner/nats';
import { startBroker, startKeepingStreams } from './broker-server.ts';
import { addressOfDatabase, ownDatabase, startDatabase } from './database-server.ts';
import { consoleUrl, type SystemSettings } from './environment.ts';
import type { Ledger } from './ledger.ts';
import type { Claims, ReplicaClaims } from './ports.ts';
import type { Report } from './progress.ts';
import type { ServerHandle } from './server-handle.ts';
import type { ServiceProcess } from './service-process.ts';
import { migrate, startConsole, startGateway, startMessageProviders, startOne, startSimulator } from './start-processes.ts';
import type { Stopping } from './stopping.ts';
import { ofEach, type ReplicatedPart, replicated } from './topology.ts';

export interface Parts {
  readonly postgres: ServerHandle;
  readonly nats: ServerHandle;
  readonly payments: ServiceProcess | null;
  readonly messages: ServiceProcess;
  /** All replicas of each service and of the gateway. */
  readonly replicas: Replicas;
  /** The first replica of each. */
  readonly services: Readonly<Record<ReplicatedPart, ServiceProcess>>;
  /** Null when it was not requested. */
  readonly console: ServiceProcess | null;
}

export type Replicas = Readonly<Record<ReplicatedPart, readonly ServiceProcess[]>>;

export interface PartsOptions {
  readonly settings: SystemSettings;
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly replicaClaims: ReplicaClaims;
  readonly stopping: Stopping;
  readonly report: Report;
  /** Receives what is wrong with a stream. */
  readonly say: (line: string) => void;
  /** Connected accounts that the payment simulator is to know. */
  readonly accounts: readonly string[];
}

/**
 * Starts every part as soon as what it needs is ready. Resolves when all are ready; rejects with the first fault once no start is under
 * way.
 */
export async function startParts(options: PartsOptions): Promise<Parts> {
  const { settings, ledger, claims, replicaClaims, stopping, report } = options;
  const means = { ledger, claims, replicaClaims };
  const { base, dataDir, ports } = settings;
  const began = performance.now();
  const spent = () => performance.now() - began;
  const goOn = () => stopping.signal.throwIfAborted();
  const all = (part: ReplicatedPart, start: (replica: number) => ServiceProcess) =>
    Promise.all([0, ...replicaClaims[part].keys().map((n) => n + 1)].map((replica) => readyOf(stopping.process(start(replica)))));

  const postgres = startDatabase(dataDir, ports.postgres, ledger, base.DATABASE_URL).then(stopping.server);
  const fetching = (detail: string) => report({ part: 'nats', done: false, detail });
  const nats = startBroker({ dataDir, port: ports.nats, ledger, say: fetching, base, access: settings.natsAccess })
    .then(stopping.server)
    .then((server) => withStreams(server, options));
  report({ part: 'postgres', done: false, detail: 'starting' });
  report({ part: 'nats', done: false, detail: 'starting' });

  const payments = startPayments(options);
  const messages = readyOf(stopping.process(startMessageProviders(settings, means)));
  const migrated = ([...services, 'gateway'] as const).map(async (service) => {
    const { url: shared } = await postgres;
    const url = settings.databaseOfEach ? await ownDatabase(shared, `corner_${service}`) : shared;
    goOn();
    report({ part: 'postgres', done: false, detail: 'migrating' });
    await migrate(service, settings, url);
    return url;
  });
  const running = services.map(async (service, index) => {
    // The message providers write the files with the keys that notifications reads.
    const keys = service === 'notifications' ? messages : undefined;
    const [adminUrl = '', { url: natsUrl }] = await Promise.all([migrated[index], nats, keys]);
    goOn();
    report({ part: 'services', done: false, detail: 'starting' });
    return await all(service, (replica) => startOne(service, settings, { adminUrl, natsUrl }, means, replica));
  });

  // The gateway can run without its database, so it does not wait for its migrations.
  const gateway = postgres.then(({ url: shared }) => {
    const url = settings.databaseOfEach ? addressOfDatabase(shared, 'corner_gateway') : shared;
    goOn();
    return all('gateway', (replica) => startGateway(settings, url, means, replica));
  });

  const console = settings.consoleSessionKey === null ? null : startConsoleWhen(nats, options);

  const reports = [
    Promise.all([postgres, ...migrated]).then(([{ url, version, ours }]) => {
      const where = ours ? new URL(url).port : new URL(url).host;
      report({ part: 'postgres', done: true, version: version.split('.')[0] ?? version, where, detail: 'migrations current', ms: spent() });
    }),
    Promise.all(running).then(() => report({ part: 'services', done: true, detail: services.join(' '), ms: spent() })),
    gateway.then(() => report({ part: 'gateway', done: true, where: `http://localhost:${ports.gateway}/api/v1`, detail: '' })),
    console?.then(() => report({ part: 'console', done: true, where: consoleUrl(ports), detail: '' })),
    messages.then(({ port, url }) =>
      report({ part: 'messages', done: true, where: String(port), detail: `mail and push, simulated: see ${url}/` }),
    ),
    payments.then((simulator) =>
      report(
        simulator
          ? { part: 'payments', done: true, where: String(simulator.port), detail: 'simulator (set STRIPE_SECRET_KEY for Stripe)' }
          : {
              part: 'payments',
              done: true,
              detail: base.STRIPE_WEBHOOK_SECRETS ? 'Stripe' : 'Stripe, its webhooks refused without STRIPE_WEBHOOK_SECRETS',
            },
      ),
    ),
  ];
  await allOrFirstFault([...migrated, postgres, nats, payments, messages, gateway, console, ...running, ...reports], stopping);

  const started = [...(await Promise.all(running)), await gateway];
  const replicas = ofEach((part) => started[replicated.indexOf(part)] ?? []);
  return {
    postgres: await postgres,
    nats: await nats,
    payments: await payments,
    messages: await messages,
    replicas,
    services: ofEach((part) => replicas[part][0] as ServiceProcess),
    console: await console,
  };
}

/** No service makes a stream, and none can publish or consume without. */
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
  // Loaded only here, since a bundler comes with it.
  const { buildPages } = await import('@corner/console-pages/build');
  const [{ url: natsUrl }] = await Promise.all([nats, buildPages()]);
  stopping.signal.throwIfAborted();
  return await readyOf(stopping.process(startConsole(settings, natsUrl, { ledger, claims })));
}

async function readyOf(process: ServiceProcess): Promise<ServiceProcess> {
  await process.ready();
  return process;
}

/** Waits for all promises, also after a fault, so that nothing is started after the stop. */
async function allOrFirstFault(all: readonly (Promise<unknown> | null | undefined)[], stopping: Stopping): Promise<void> {
  try {
    await Promise.all(all);
  } catch (fault) {
    stopping.giveUp();
    await Promise.allSettled(all);
    throw fault;
  }
}
