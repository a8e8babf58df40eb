import { directoryStore } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { stores } from '@corner/sandbox/demo';
import { findNatsServer, type RunningNats, startNats } from '@corner/sandbox/servers';
import { envelopeOf, openEventStream, type TestFolder, testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { startTestConsole } from '../testing/start-test-console.ts';

let folder: TestFolder;
let nats: RunningNats;

const start = async (port = 0) => await startNats({ server: await findNatsServer(), storeFolder: folder.path, port });

beforeAll(async () => {
  folder = await testFolder();
  nats = await start();
});
afterAll(async () => {
  await nats?.stop();
  await folder[Symbol.asyncDispose]();
});

async function publish(): Promise<string> {
  const connection = await connectNats(nats.url, 'test');
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'DIRECTORY', subjects: ['directory.>'] });
  const store = { version: 1, id: stores.coffee.id, code: 'S1', name: 'Corner Coffee' };
  const envelope = envelopeOf(directoryStore, store, { aggregateId: store.id, storeId: store.id, at: new Date(Date.now()).toISOString() });
  await jetstream(connection).publish(`directory.store.v1.${store.id}`, JSON.stringify(envelope));
  await connection.close();
  return envelope.id;
}

test('changes go on after the broker was restarted, also when it has lost the stream, and the log says so once', async () => {
  const before = await publish();
  await using tested = await startTestConsole({ nats: { url: nats.url, namespace: '' } });
  const pia = tested.open();
  await pia.signIn('pia');
  const stream = await openEventStream(await pia.get('/api/live', { 'last-event-id': '0.0.0.0.0' }));
  expect((await stream.next()).data).toContain(before);

  const { port } = nats;
  await nats.stop();
  await until(() => tested.lines.some((line) => line.includes('a stream cannot be read')), { describe: 'the fault in the log' });
  nats = await start(port);
  const after = await publish();
  expect((await stream.next()).data).toContain(after);
  await until(() => tested.lines.some((line) => line.includes('a stream can be read again')), { describe: 'the recovery in the log' });

  const connection = await connectNats(nats.url, 'test');
  await (await jetstreamManager(connection)).streams.delete('DIRECTORY');
  await connection.close();
  const anew = await publish();
  const seen: string[] = [];
  while (!seen.at(-1)?.includes(anew)) seen.push((await stream.next()).data);
  expect(seen[0]).toBe('{}');
  await stream.close();
});
