import { randomBytes } from 'node:crypto';
import { type ConsumerParts, connectOptions, ensureStreams, type NatsLogin } from '@corner/nats';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { currentTestRun } from './test-run.ts';

export interface TestBroker extends AsyncDisposable {
  readonly url: string;
  readonly namespace: string;
  /** Does the work of the process that keeps streams, also for `parts`. Throws the remaining faults. */
  ensureStreams(parts?: ConsumerParts): Promise<void>;
}

export interface TestBrokerOptions {
  readonly streams?: boolean;
}

/** Makes a namespace in the run's NATS, with all streams and consumers. Disposal deletes its streams. */
export async function testBroker({ streams = true }: TestBrokerOptions = {}): Promise<TestBroker> {
  const { natsUrl: url } = currentTestRun();
  const namespace = `t${randomBytes(5).toString('hex')}_`;
  const ensure = (parts?: ConsumerParts) => makeStreams({ NATS_URL: url }, namespace, parts);
  if (streams) await ensure();
  return {
    url,
    namespace,
    ensureStreams: ensure,
    [Symbol.asyncDispose]: () => withManager({ NATS_URL: url }, (manager) => deleteStreams(manager, namespace)),
  };
}

export async function makeStreams(login: NatsLogin, namespace = '', parts: ConsumerParts = {}): Promise<void> {
  await withManager(login, async (manager) => {
    const { faults } = await ensureStreams(manager, { namespace, parts });
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
}

async function withManager(login: NatsLogin, work: (manager: JetStreamManager) => Promise<void>): Promise<void> {
  const connection = await connect({ ...connectOptions(login), reconnect: false });
  try {
    await work(await jetstreamManager(connection, { checkAPI: false }));
  } finally {
    await connection.close();
  }
}

async function deleteStreams(manager: JetStreamManager, namespace: string): Promise<void> {
  const names: string[] = [];
  for await (const name of manager.streams.names()) if (name.toLowerCase().startsWith(namespace)) names.push(name);
  for (const name of names) await manager.streams.delete(name).catch(() => false);
}
