import { dataSchemaOf, Envelope, events, processedBy, rpcSubject, services, subjectsOf } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { demoDirectory } from '../demo/demo-directory.ts';
import { findNatsServer } from '../servers/find-nats-server.ts';
import { type RunningNats, startNats } from '../servers/nats.ts';
import { applyDirectory } from './apply-directory.ts';
import { DirectoryFaults } from './parse-directory.ts';

let folder: TestFolder;
let nats: RunningNats;
let connection: NatsConnection;

beforeAll(async () => {
  folder = await testFolder();
  nats = await startNats({ server: await findNatsServer(), storeFolder: folder.path });
  connection = await connectNats(nats.url, 'test');
});

beforeEach(async () => {
  const jsm = await jetstreamManager(connection);
  for await (const { config } of jsm.streams.list()) await jsm.streams.delete(config.name);
});

afterAll(async () => {
  await connection.close();
  await nats.stop();
  await folder[Symbol.asyncDispose]();
});

/** Makes the stream, as a service's first replica does. */
async function makeStream(): Promise<void> {
  const jsm = await jetstreamManager(connection);
  await jsm.streams.add({ name: 'DIRECTORY', subjects: [subjectsOf('directory')], storage: StorageType.Memory });
}

/** Reads the events in the stream. */
async function kept(): Promise<Envelope[]> {
  const jsm = await jetstreamManager(connection);
  const { state } = await jsm.streams.info('DIRECTORY');
  const messages = await Promise.all(Array.from({ length: state.messages }, (_, i) => jsm.streams.getMessage('DIRECTORY', { seq: i + 1 })));
  return messages.map((message) => Envelope.parse(message?.json()));
}

/** Answers the RPC `processed` for services: for each event with what `verdict` returns. */
function rpcServer(verdict: (service: string, id: string, times: number) => 'processed' | 'dead-lettered' | 'open'): Disposable {
  const subscriptions = services.map((service) => {
    let times = 0;
    return connection.subscribe(rpcSubject(processedBy(service)), {
      callback: (_, message) => {
        times += 1;
        const { event_ids: ids } = message.json<{ event_ids: string[] }>();
        const of = (state: string) => ids.filter((id) => verdict(service, id, times) === state);
        message.respond(JSON.stringify({ output: { processed: of('processed'), dead_lettered: of('dead-lettered') } }));
      },
    });
  });
  return { [Symbol.dispose]: () => subscriptions.forEach((subscription) => void subscription.unsubscribe()) };
}

test('every entry is published once, as a snapshot of one version, and the slowest service is waited for', async () => {
  await makeStream();
  let queueWasAsked = 0;
  using _ = rpcServer((service, _id, times) => {
    if (service === 'queue') queueWasAsked = times;
    return service === 'queue' && times < 3 ? 'open' : 'processed';
  });
  const now = new Date('2026-07-14T12:00:00Z');
  const applied = await applyDirectory(demoDirectory(now), { connection, now: () => now });
  expect(queueWasAsked).toBe(3);
  expect(applied).toEqual({
    version: now.getTime(),
    published: { stores: 2, menus: 2, slots: 1, programmes: 2, floors: 1, bookings: 2, customers: 5, staff: 3 },
  });

  const envelopes = await kept();
  expect(envelopes).toHaveLength(18);
  for (const envelope of envelopes) {
    const contract = events.find((event) => event.producers.includes('directory') && dataSchemaOf(event) === envelope.dataschema);
    expect(contract?.type).toBe(envelope.type);
    expect(contract?.data.parse(envelope.data)).toMatchObject({ version: now.getTime() });
  }
});

test('it waits for a stream that no service has made yet', async () => {
  using _ = rpcServer(() => 'processed');
  const applying = applyDirectory({ customers: [{ id: '0190a000-0000-7000-8000-0000000000a1' }] }, { connection });
  // By the time this request returns, the first attempt to publish has failed.
  await connection.request(rpcSubject(processedBy('orders')), JSON.stringify({ event_ids: [] }));
  await makeStream();
  expect((await applying).published).toEqual({ customers: 1 });
  expect(await kept()).toHaveLength(1);
});

test('it rejects with the services that lag behind and those that have a dead letter', async () => {
  await makeStream();
  const content = { customers: [{ id: '0190a000-0000-7000-8000-0000000000a1' }] };
  {
    using _ = rpcServer((service) => (service === 'loyalty' ? 'open' : 'processed'));
    await expect(applyDirectory(content, { connection, withinMs: 200 })).rejects.toThrow(
      /^loyalty has not taken in 1 of 1 events after 0.2 s/,
    );
  }
  {
    using _ = rpcServer((service) => (service === 'orders' ? 'dead-lettered' : 'processed'));
    await expect(applyDirectory(content, { connection })).rejects.toThrow(/^orders could not take in 1 of 1 events/);
  }
});

test('nothing is published from a file with a fault', async () => {
  await makeStream();
  using _ = rpcServer(() => 'processed');
  await expect(
    applyDirectory({ customers: [{ id: 'ana' }, { id: '0190a000-0000-7000-8000-0000000000a2' }] }, { connection }),
  ).rejects.toThrow(DirectoryFaults);
  expect(await kept()).toEqual([]);
});
