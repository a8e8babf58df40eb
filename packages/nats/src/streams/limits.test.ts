import { findNatsServer, type RunningNats, startNats } from '@corner/sandbox/servers';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AckPolicy, DiscardPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { connectOptions } from '../connect-options.ts';
import { ensureStreams } from './ensure-streams.ts';

let folder: TestFolder;
let nats: RunningNats;
let connection: NatsConnection;
let jsm: JetStreamManager;
beforeEach(async () => {
  folder = await testFolder();
});
afterEach(async () => {
  await connection.close();
  await nats.stop();
  await folder[Symbol.asyncDispose]();
});

const corner = { NATS_USER: 'corner', NATS_PASSWORD: 'corner' };
const account = (limits: string) => `accounts { corner { jetstream { ${limits} }, users: [{ user: corner, password: corner }] } }`;

async function serverWith(configuration: string, login = {}): Promise<void> {
  nats = await startNats({ server: await findNatsServer(), storeFolder: `${folder.path}/nats`, configuration, login });
  connection = await connect({ ...connectOptions({ NATS_URL: nats.url, ...login }), reconnect: false });
  jsm = await jetstreamManager(connection, { checkAPI: false });
}

describe('what the broker refuses is named, with what to do:', () => {
  test('more streams than the account may have', async () => {
    await serverWith(account('max_streams: 1'), corner);
    await jsm.streams.add({ name: 'OTHER', subjects: ['other'] });
    const { done, faults } = await ensureStreams(jsm);
    expect([done, faults.length]).toEqual([[], 6]);
    expect(faults[0]).toMatch(/ORDERS cannot be made.*maximum number of streams is reached.*nats account info/);
  });

  test('more consumers of a stream than the account may have', async () => {
    await serverWith(account('max_consumers: 1'), corner);
    const { done, faults } = await ensureStreams(jsm);
    expect(done).toContain('made the consumer loyalty of ORDERS');
    expect(faults).toContainEqual(
      expect.stringMatching(/notifications of ORDERS cannot be made.*maximum number of consumers of a stream is reached/),
    );
  });

  test('copies that a single server cannot keep', async () => {
    await serverWith('');
    const { done, faults } = await ensureStreams(jsm, { replicas: 3 });
    expect([done, faults.length]).toEqual([[], 6]);
    expect(faults[0]).toMatch(/ORDERS cannot be made.*keeps no second copy.*NATS_REPLICAS/);
  });

  test('a window of message ids that the server does not allow: the stream takes events all the same, and has its consumers', async () => {
    await serverWith('jetstream { limits { duplicate_window: "30m" } }');
    await jsm.streams.add({ name: 'ORDERS', subjects: ['orders.>'], discard: DiscardPolicy.New, duplicate_window: nanos(1_800_000) });
    const { faults } = await ensureStreams(jsm);
    expect(faults).toContainEqual(expect.stringMatching(/^The stream ORDERS lacks duplicate_window \d+: .*limit/));
    expect((await jsm.consumers.info('ORDERS', 'loyalty')).config.ack_policy).toBe(AckPolicy.Explicit);
  });

  test('an account without JetStream', async () => {
    await serverWith(
      'accounts { corner { users: [{ user: corner, password: corner }] }, other { jetstream: enabled, users: [{ user: a, password: a }] } }',
      { NATS_USER: 'a', NATS_PASSWORD: 'a' },
    );
    await connection.close();
    connection = await connect({ ...connectOptions({ NATS_URL: nats.url, ...corner }), reconnect: false });
    const { done, faults } = await ensureStreams(await jetstreamManager(connection, { checkAPI: false }));
    expect([done, faults.length]).toEqual([[], 6]);
    expect(faults[0]).toMatch(/no JetStream/);
  });
});
