import { chmod, mkdir, rm } from 'node:fs/promises';
import { people } from '@corner/sandbox/demo';
import { checkout, ProcessEnded, type RunningSystem, type ServiceProcess, startSystem } from '@corner/sandbox/system';
import { type History, openHistory } from '@corner/simulation';
import { directoryFile, type FaultDirectory, makeDirectory } from './directory.ts';
import { type StageKind, type StageServers, startStageServers } from './stage-servers.ts';
import type { Visitor } from './visit.ts';

export interface Stage extends StageServers, AsyncDisposable {
  readonly kind: StageKind;
  readonly folder: string;
  readonly system: RunningSystem;
  readonly history: History;
  readonly directory: FaultDirectory;
  visitor(random: () => number): Visitor;
}

/** Seconds: long enough for a service whose clock is ten minutes fast. */
const ttlSeconds = 4 * 3600;

export async function startStage(kind: StageKind): Promise<Stage> {
  await using owned = new AsyncDisposableStack();
  const folder = await newFolder();
  owned.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const directory = makeDirectory();
  const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  const { settings, natsAccess, wires, cluster, pair, receivers } = await startStageServers(kind, folder, owned);
  const system = owned.use(
    await startSystem({
      dataDir: `${folder}/system`,
      ports: 'any',
      replicas: kind === 'replicas' ? 2 : 1,
      directory: directoryFile(directory),
      ...(natsAccess ? { natsAccess } : {}),
      // All visitors share one address, hence no rate limits. A restarted replica opens its socket before it can read from it, so on a busy
      // machine a request may wait longer than the gateway's usual timeout.
      env: { ...env, RATE_LIMITS: 'off', UPSTREAM_TIMEOUT_MS: '50000', ...settings },
    }),
  );
  if (system.payments) reportEnd(system.payments);
  reportEnd(system.messages);
  const drawVisitor = await visitorsOf(system, directory);
  const history = openHistory(`${folder}/history.jsonl`);
  const all = owned.move();
  return {
    kind,
    folder,
    wires,
    cluster,
    pair,
    receivers,
    system,
    directory,
    history,
    visitor: (random) => ({ ...drawVisitor(random), history }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** No fault ends a simulator, and its log is removed with the folder. */
function reportEnd(simulator: ServiceProcess): void {
  void simulator.exited.then((exit) => simulator.stopping || console.error(new ProcessEnded(simulator, exit).message));
}

let folders = 0;
async function newFolder(): Promise<string> {
  const folder = `${checkout}/.corner/faults-${process.pid}-${folders++}`;
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  return folder;
}

async function visitorsOf(system: RunningSystem, directory: FaultDirectory) {
  const { stores, customerIds } = directory;
  const ownerToken = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: stores.map(({ id }) => id), ttlSeconds });
  const customers = await Promise.all(
    customerIds.map(async (customerId) => ({
      customerId,
      customerToken: await system.tokens.token({ typ: 'customer', sub: customerId, ttlSeconds }),
    })),
  );
  return (random: () => number): Omit<Visitor, 'history'> => ({
    system,
    gatewayUrl: anyOf(system.replicas.gateway, random).url,
    directory,
    ownerToken,
    store: anyOf(stores, random),
    ...anyOf(customers, random),
  });
}

export function anyOf<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}
