import { mkdir } from 'node:fs/promises';
import { findNatsServer, type NatsAccess, startNats, startPostgres } from '@corner/sandbox/servers';
import { mountSmallDisk, type TcpProxy, tcpProxyTo } from '@corner/testkit';
import { type NatsCluster, startNatsCluster } from '../testing/nats-cluster.ts';
import { natsConfiguration } from '../testing/nats-configuration.ts';
import { type PostgresPair, startPostgresPair } from '../testing/postgres-pair.ts';
import { type Receivers, startReceivers } from './receivers/receivers.ts';

/**
 * `wires`: the services reach NATS and Postgres through TCP proxies. `cluster`: NATS is three servers with TLS and users. `standby`: a
 * second Postgres follows the first. `replicas`: two of each service and two gateways. `small disk`: Postgres and NATS each on a small file
 * system. `receivers`: two receivers of webhooks.
 */
export type StageKind = 'plain' | 'wires' | 'cluster' | 'standby' | 'replicas' | 'small disk' | 'receivers';

export interface StageServers {
  readonly wires: { readonly nats: TcpProxy; readonly postgres: TcpProxy } | null;
  readonly cluster: NatsCluster | null;
  readonly pair: PostgresPair | null;
  readonly receivers: Receivers | null;
}

export const diskOf = (folder: string, server: 'postgres' | 'nats'): string => `${folder}/system/${server}`;

interface Started extends StageServers {
  readonly settings: Readonly<Record<string, string>>;
  readonly natsAccess: NatsAccess | null;
}

export async function startStageServers(kind: StageKind, folder: string, owned: AsyncDisposableStack): Promise<Started> {
  const none = { settings: {}, natsAccess: null, wires: null, cluster: null, pair: null, receivers: null };
  if (kind === 'plain') return none;
  if (kind === 'receivers') return { ...none, receivers: owned.use(await startReceivers(`${folder}/receivers`)) };
  if (kind === 'small disk') {
    for (const server of ['postgres', 'nats'] as const) owned.use(await mountSmallDisk(diskOf(folder, server), 400));
    return none;
  }
  if (kind === 'replicas') return { ...none, settings: { DRAIN_SECONDS: '3' } };
  if (kind === 'cluster') {
    await mkdir(`${folder}/cluster`);
    const cluster = owned.use(await startNatsCluster(`${folder}/cluster`));
    return { ...none, settings: cluster.settings, natsAccess: cluster.access, cluster };
  }
  if (kind === 'standby') {
    const pair = owned.use(await startPostgresPair(`${folder}/pair`));
    return { ...none, settings: { DATABASE_URL: pair.url }, pair };
  }
  const server = await findNatsServer();
  const nats = owned.use(await startNats({ server, storeFolder: `${folder}/nats`, configuration: natsConfiguration() }));
  const postgres = owned.use(await startPostgres({ dataFolder: `${folder}/postgres` }));
  const wires = {
    nats: owned.use(await tcpProxyTo(nats.url)),
    postgres: owned.use(await tcpProxyTo(postgres.url)),
  };
  const settings = { NATS_URL: wires.nats.url, DATABASE_URL: wires.postgres.url };
  return { ...none, settings, wires };
}
