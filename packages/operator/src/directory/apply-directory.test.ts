import { dataSchemaOf, Envelope, events, processedBy, rpcSubject, services, subjectsOf } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { demoDirectory } from '@corner/sandbox/demo';
import { findNatsServer, type RunningNats, startNats } from '@corner/sandbox/servers';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
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

async function makeStream(): Promise<void> {
  const jsm = await jetstreamManager(connection);
  await jsm.streams.add({ name: 'DIRECTORY', subjects: [subjectsOf('directory')], storage: StorageType.Memory });
}

async function lastSubject(): Promise<string | undefined> {
  const jsm = await jetstreamManager(connection);
  const { state } = await jsm.streams.info('DIRECTORY');
  return (await jsm.streams.getMessage('DIRECTORY', { seq: state.last_seq }))?.subject;
}

async function kept(): Promise<Envelope[]> {
  const jsm = await jetstreamManager(connection);
  const { state } = await jsm.streams.info('DIRECTORY');
  const messages = await Promise.all(Array.from({ length: state.messages }, (_, i) => jsm.streams.getMessage('DIRECTORY', { seq: i + 1 })));
  return messages.map((message) => Envelope.parse(message?.json()));
}

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
    published: { stores: 2, menus: 2, slots: 1, programmes: 2, floors: 1, bookings: 2, customers: 5, staff: 3 },
  });

  const envelopes = await kept();
  expect(envelopes).toHaveLength(18);
  for (const envelope of envelopes) {
    const contract = events.find((event) => event.producers.includes('directory') && dataSchemaOf(event) === envelope.dataschema);
    expect(contract?.type).toBe(envelope.type);
    expect(envelope.data).toMatchObject({ version: 1 });
    expect(contract?.data.parse(envelope.data)).toEqual(envelope.data);
  }
});

const customer = '0190a000-0000-7000-8000-0000000000a1';
const customers = [{ id: customer }];
const newestVersions = async () => (await kept()).map(({ subject, sequence }) => [subject, sequence]);

test('each object gets one version more than its newest in the stream, by any publisher, and more than --above', async () => {
  await makeStream();
  using _ = rpcServer(() => 'processed');
  await applyDirectory({ customers }, { connection });
  const other = '0190a000-0000-7000-8000-0000000000a2';
  await applyDirectory({ customers: [...customers, { id: other }] }, { connection });
  expect(await newestVersions()).toEqual([
    [customer, 1],
    [customer, 2],
    [other, 1],
  ]);

  const subject = (await lastSubject()) ?? '';
  await jetstream(connection).publish(subject, JSON.stringify({ ...(await kept())[0], sequence: 41 }));
  await applyDirectory({ customers: [{ id: other }] }, { connection });
  await jetstream(connection).publish(subject, 'not an event');
  const jsm = await jetstreamManager(connection);
  await applyDirectory({ customers: [{ id: other }] }, { connection, above: 100 });
  const newest = await jsm.streams.getMessage('DIRECTORY', { last_by_subj: subject });
  expect(newest?.json()).toMatchObject({ sequence: 101, data: { version: 101 } });
  const earlier = await jsm.streams.getMessage('DIRECTORY', { seq: 5 });
  expect(earlier?.json()).toMatchObject({ sequence: 42 });
});

test('of two that publish an object at once one wins, and the other gets an error that names the object', async () => {
  await makeStream();
  using _ = rpcServer(() => 'processed');
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => applyDirectory({ customers }, { connection })));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(String(outcome.reason)).toContain(`another publisher published customer ${customer} at the same time`);
  expect(await newestVersions()).toEqual([[customer, 1]]);
});

test('it waits for a stream that no service has made yet', async () => {
  using _ = rpcServer(() => 'processed');
  const applying = applyDirectory({ customers }, { connection });
  await connection.request(rpcSubject(processedBy('orders')), JSON.stringify({ event_ids: [] }));
  await makeStream();
  expect((await applying).published).toEqual({ customers: 1 });
  expect(await kept()).toHaveLength(1);
});

test('it rejects with the services that lag behind and those that have a dead letter', async () => {
  await makeStream();
  const content = { customers };
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

test('a template is refused, because nothing here would renew it', async () => {
  await makeStream();
  const store_id = '0190a000-0000-7000-8000-000000000001';
  const weekly = { days: [1, 2], from: '09:00', to: '17:00' };
  const chair = { id: '0190a000-0000-7000-8000-0000000000c1', name: 'Chair', service_ids: [] };
  const content = {
    slots: [{ store_id, template: [{ ...weekly, every_minutes: 15 }] }],
    floors: [{ store_id, services: [], units: [chair, { ...chair, weekly_shifts: [weekly], weekly_breaks: [weekly] }] }],
  };
  await expect(applyDirectory(content, { connection })).rejects.toMatchObject({
    faults: [
      expect.stringMatching(/^slots\[0\]\.template: needs the directory service/),
      expect.stringMatching(/^floors\[0\]\.units\[1\]\.weekly_shifts: needs the directory service/),
      expect.stringMatching(/^floors\[0\]\.units\[1\]\.weekly_breaks: needs the directory service/),
    ],
  });
  expect(await kept()).toEqual([]);
});

test('nothing is published from a file with a fault', async () => {
  await makeStream();
  using _ = rpcServer(() => 'processed');
  await expect(
    applyDirectory({ customers: [{ id: 'ana' }, { id: '0190a000-0000-7000-8000-0000000000a2' }] }, { connection }),
  ).rejects.toThrow(DirectoryFaults);
  expect(await kept()).toEqual([]);
});
