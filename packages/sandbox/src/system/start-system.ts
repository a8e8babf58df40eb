import { mkdirSync, rmSync } from 'node:fs';
import { type DirectoryFile, optionalServices, requiredServices, services } from '@corner/contracts';
import { loginIn, addressesOf as serversOf } from '@corner/nats';
import { accountsIn, parseDirectory, writeRunFile } from '@corner/operator';
import { allPrograms, buildPrograms } from '@corner/programs';
import { consoleClient, consolePeople, shopClient } from '../demo/console-people.ts';
import { demoDirectory } from '../demo/demo-directory.ts';
import { type RunningIssuer, startIssuer } from '../issuer/start-issuer.ts';
import { type NatsAccess, natsAccess } from '../servers/nats-access.ts';
import { addressesOf, describeRun } from './describe-run.ts';
import { consoleUrl, type Payments, type SystemSettings, shopUrl } from './environment.ts';
import { fillWithDirectory } from './fill-with-directory.ts';
import { keepAllRunning } from './keep-running.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { stopLeftovers } from './leftovers.ts';
import { claimPorts, claimReplicaPorts } from './ports.ts';
import type { RunningSystem, StartOptions } from './running-system.ts';
import { startParts } from './start-parts.ts';
import { simulatorKey } from './start-processes.ts';
import { createStopping, type Stopping } from './stopping.ts';
import { keyFileIn, messagesFolderIn, sessionKeyIn, webhookSecretIn } from './system-data.ts';
import { ofEach } from './topology.ts';
import { uploadPictures } from './upload-pictures.ts';

/** Resolves when the system is ready and the directory applied. A fault ends it all. Throws {@link AlreadyRunning}. */
export async function startSystem(options: StartOptions): Promise<RunningSystem> {
  const directory = options.directory === null ? null : parseDirectory(options.directory ?? demoDirectory(new Date()));
  const left = await stopLeftovers(options.dataDir);
  if (left.length > 0) options.say?.(`ended what an earlier start had left: ${left.join(', ')}`);
  const ledger = openLedger(options.dataDir);
  const stopping = createStopping(options.dataDir, ledger);
  options.stop?.addEventListener('abort', stopping.giveUp);
  try {
    options.stop?.throwIfAborted();
    return await start(options, directory, ledger, stopping);
  } catch (error) {
    await stopping.stop();
    throw error;
  } finally {
    options.stop?.removeEventListener('abort', stopping.giveUp);
  }
}

async function start(options: StartOptions, directory: DirectoryFile | null, ledger: Ledger, stopping: Stopping): Promise<RunningSystem> {
  const { dataDir, env = process.env, report = () => {}, say = () => {} } = options;
  rmSync(`${dataDir}/log`, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(`${dataDir}/log`, { mode: 0o700 });
  const [claimed] = await Promise.all([claimAll(options, stopping), options.fromSource ? null : buildPrograms(allPrograms())]);
  const url = consoleUrl(claimed.ports);
  const issuer = stopping.server(
    await startIssuer({
      keyFile: keyFileIn(dataDir),
      socket: claimed.claims.issuer.socket,
      env,
      people: directory ? consolePeople : [],
      clients: [consoleClient([url]), shopClient([shopUrl(claimed.ports)])],
    }),
  );
  const settings = settingsOf(options, claimed, issuer);
  const access = settings.natsAccess;
  const accounts = directory ? accountsIn(directory) : [];
  const { claims, replicaClaims } = claimed;
  const parts = await startParts({ settings, ledger, claims, replicaClaims, stopping, report, say, accounts });
  const login = { ...loginIn(env), ...access?.administrator };
  await fillWithDirectory({ nats: parts.nats, login, namespace: env.NATS_NAMESPACE ?? '', services: settings.services, directory, report });
  const natsUrl = withLogin(parts.nats.url, access);
  const run = await describeRun(settings, { ...parts, natsUrl }, directory, issuer);
  if (options.directory === undefined && settings.services.includes('directory')) await uploadPictures(run.gateway, issuer);
  const runNow = () => ({ ...run, services: addressesOf(parts) });
  writeRunFile(dataDir, runNow());
  if (options.keepRunning) keepAllRunning(parts, { say, stopped: stopping.signal, restarted: () => writeRunFile(dataDir, runNow()) });
  return {
    ...parts,
    gatewayUrl: run.gateway,
    databaseUrl: parts.postgres.url,
    natsUrl,
    natsAccess: access,
    paymentsUrl: run.payments,
    messagesUrl: parts.messages.url,
    issuer: run.issuer,
    tokens: issuer,
    get run() {
      return runNow();
    },
    stop: stopping.stop,
    [Symbol.asyncDispose]: stopping.stop,
  };
}

type Claimed = Awaited<ReturnType<typeof claimAll>>;

async function claimAll(options: StartOptions, stopping: Stopping) {
  const { ports, claims } = await claimPorts({ ports: options.ports ?? 'preferred', gatewayPort: options.gatewayPort });
  for (const { release } of Object.values(claims)) stopping.server({ stop: async () => release() });
  for (const pages of ['console', 'shop'] as const) if (!options[pages]) claims[pages].release();
  for (const name of optionalServices) if (!options.only && !options.optional?.includes(name)) claims[name].release();
  const replicaClaims = await claimReplicaPorts((options.replicas ?? 1) - 1);
  for (const { release } of Object.values(replicaClaims).flat()) stopping.server({ stop: async () => release() });
  return { ports, claims, replicaClaims };
}

function settingsOf(options: StartOptions, { ports, replicaClaims }: Claimed, issuer: RunningIssuer): SystemSettings {
  const { dataDir, env = process.env } = options;
  const named = options.only ?? [...requiredServices, ...(options.optional ?? [])];
  const running = services.filter((name) => named.includes(name));
  return {
    services: running,
    peers: options.only ? services.filter((name) => !running.includes(name)) : [],
    ports,
    replicaPorts: ofEach((part) => replicaClaims[part].map(({ port }) => port)),
    dataDir,
    fromSource: options.fromSource ?? false,
    host: options.host ?? null,
    base: env,
    payments: paymentsBy(env, ports.payments, dataDir),
    messages: {
      folder: messagesFolderIn(dataDir),
      name: '127.0.0.1',
      ports: { http: ports.messages, smtp: ports.smtp, apns: ports.apns },
    },
    issuerUrl: issuer.url,
    jwksUrl: issuer.jwksUrl,
    consoleSessionKey: options.console ? sessionKeyIn(dataDir) : null,
    shop: options.shop ?? false,
    natsAccess: options.natsAccess ?? (env.NATS_URL ? null : natsAccess(options.natsOperators, env.NATS_NAMESPACE)),
    databaseOfEach: options.databaseOfEach ?? false,
  };
}

function withLogin(addresses: string, access: NatsAccess | null): string {
  if (!access) return addresses;
  const all = serversOf(addresses).map((address) => {
    const url = new URL(address);
    url.username = access.administrator.NATS_USER ?? '';
    url.password = access.administrator.NATS_PASSWORD ?? '';
    return url.href;
  });
  return all.join(',');
}

function paymentsBy(env: Readonly<Record<string, string | undefined>>, port: number, dataDir: string): Payments {
  const ownSecret = webhookSecretIn(dataDir);
  if (env.STRIPE_SECRET_KEY) {
    return { kind: 'stripe', secretKey: env.STRIPE_SECRET_KEY, webhookSecrets: env.STRIPE_WEBHOOK_SECRETS || ownSecret };
  }
  return { kind: 'simulator', url: `http://127.0.0.1:${port}`, secretKey: simulatorKey, webhookSecret: ownSecret };
}
