import { randomBytes } from 'node:crypto';
import { connectOptions } from '@corner/nats';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { currentTestRun } from './test-run.ts';

export interface TestBroker extends AsyncDisposable {
  /** nats://… */
  readonly url: string;
  /** Prefix of the test's streams (in capitals there) and subjects; no other test has it. */
  readonly namespace: string;
}

/** Makes a namespace in the run's NATS for one test. Disposal deletes its streams. */
export async function testBroker(): Promise<TestBroker> {
  const { natsUrl: url } = currentTestRun();
  const namespace = `t${randomBytes(5).toString('hex')}_`;
  return { url, namespace, [Symbol.asyncDispose]: () => deleteStreams(url, namespace) };
}

async function deleteStreams(url: string, namespace: string): Promise<void> {
  const connection = await connect({ ...connectOptions({ NATS_URL: url }), reconnect: false });
  try {
    const manager = await jetstreamManager(connection);
    const names: string[] = [];
    for await (const name of manager.streams.names()) if (name.toLowerCase().startsWith(namespace)) names.push(name);
    // A service may have deleted a stream in the meantime.
    for (const name of names) await manager.streams.delete(name).catch(() => false);
  } finally {
    await connection.close();
  }
}
