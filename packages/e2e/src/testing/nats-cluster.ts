import { connectNats } from '@corner/nats';
import { claimPort, findNatsServer, type NatsAccess, natsAccess, type RunningNats, startNats } from '@corner/sandbox/servers';
import { testCertificates } from '@corner/testkit/certificates';
import { jetstreamManager } from '@nats-io/jetstream';
import { natsConfiguration } from './nats-configuration.ts';

type NatsConnection = Awaited<ReturnType<typeof connectNats>>;

export interface ClusterNode {
  readonly name: string;
  readonly pid: number;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface NatsCluster extends AsyncDisposable {
  readonly nodes: readonly ClusterNode[];
  readonly access: NatsAccess;
  readonly settings: { readonly NATS_URL: string; readonly NATS_CA_FILE: string; readonly NATS_REPLICAS: string };
  connect(): Promise<NatsConnection>;
  leaderOf(stream: string): Promise<ClusterNode>;
}

const names = ['n1', 'n2', 'n3'] as const;

export async function startNatsCluster(folder: string): Promise<NatsCluster> {
  const access = natsAccess();
  const certificates = await testCertificates(folder);
  const login = { ...access.administrator, NATS_CA_FILE: certificates.authority };
  const tls = `cert_file: "${certificates.server.certificate}", key_file: "${certificates.server.key}", ca_file: "${certificates.authority}"`;
  const [ports, routes] = [await freePorts(), await freePorts()];
  const server = await findNatsServer();
  const configurationOf = (node: number) => `
${natsConfiguration(access.configuration)}
tls { ${tls} }
cluster {
  name: corner
  listen: "127.0.0.1:${routes[node]}"
  routes: [${routes.map((port) => `"nats-route://127.0.0.1:${port}"`).join(', ')}]
  tls { ${tls}, verify: true }
}`;
  const start = (node: number): Promise<RunningNats> =>
    startNats({
      server,
      storeFolder: `${folder}/${names[node]}`,
      port: ports[node] ?? 0,
      configuration: configurationOf(node),
      login,
      name: names[node] ?? '',
    });
  // A node is ready once two have elected a leader, so they must be started together.
  const running = await Promise.all(names.map((_, node) => start(node)));
  const nodes = names.map((name, node) => nodeOf(name, running, node, () => start(node)));
  const settings = {
    NATS_URL: running.map(({ url }) => url).join(','),
    NATS_CA_FILE: certificates.authority,
    NATS_REPLICAS: '3',
  };
  const connect = () => connectNats(settings.NATS_URL, 'test', login);
  return {
    nodes,
    access,
    settings,
    connect,
    leaderOf: (stream) => leaderOf(stream, nodes, connect),
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}

function nodeOf(name: string, running: RunningNats[], index: number, start: () => Promise<RunningNats>): ClusterNode {
  const current = (): RunningNats => running[index] as RunningNats;
  return {
    name,
    get pid() {
      return current().pid;
    },
    async kill() {
      current().kill();
      await current().exited;
    },
    async restart() {
      const { port } = current();
      running[index] = await start();
      if (current().port !== port) throw new Error(`${name} could not come back on port ${port}: another process took it`);
    },
  };
}

async function leaderOf(stream: string, nodes: readonly ClusterNode[], connect: () => Promise<NatsConnection>): Promise<ClusterNode> {
  const connection = await connect();
  try {
    const jsm = await jetstreamManager(connection, { checkAPI: false });
    const { cluster } = await jsm.streams.info(stream);
    const leader = nodes.find(({ name }) => name === cluster?.leader);
    if (!leader) throw new Error(`the stream ${stream} has no leader`);
    return leader;
  } finally {
    await connection.close();
  }
}

async function freePorts(): Promise<number[]> {
  const given = new Set<number>();
  const claims = await Promise.all(names.map(() => claimPort(0, given)));
  for (const { release } of claims) release();
  return claims.map(({ port }) => port);
}
