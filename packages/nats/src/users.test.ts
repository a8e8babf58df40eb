import { type Producer, producersFor, type ServiceName, services } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { findNatsServer, natsAccess, type RunningNats, startNats } from '@corner/sandbox/servers';
import { type TestFolder, testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { keepStreams } from './streams/keep-streams.ts';
import { streamNameOf, wantedStreams } from './streams/wanted.ts';

type Connection = Awaited<ReturnType<typeof connectNats>>;

const access = natsAccess(['ada']);
const stop = new AbortController();
let folder: TestFolder;
let nats: RunningNats;
let keeper: Connection;
let kept: Promise<void>;
let administrator: Connection;
let jsm: JetStreamManager;

beforeAll(async () => {
  folder = await testFolder();
  const { configuration, administrator: login } = access;
  nats = await startNats({ server: await findNatsServer(), storeFolder: folder.path, configuration, login });
  keeper = await as('streams');
  const faults: string[] = [];
  const log = { info: () => {}, error: (fault: string) => void faults.push(fault) };
  await new Promise<void>((resolve) => {
    kept = keepStreams({ connection: keeper, log, stopped: stop.signal, looked: () => resolve() });
  });
  expect(faults).toEqual([]);
  administrator = await connectNats(nats.url, 'test', login);
  jsm = await jetstreamManager(administrator);
  for (const { name } of wantedStreams()) await jetstream(administrator).publish(`${name.toLowerCase()}.thing.happened.v1.all`, '{}');
});
afterAll(async () => {
  stop.abort();
  await kept;
  await Promise.all([keeper, administrator].map((connection) => connection?.close()));
  await nats?.stop();
  await folder[Symbol.asyncDispose]();
});

const as = (user: string) => connectNats(nats.url, 'test', access.loginOf(user));
const refused = /permissions violation/i;

async function request(user: string, subject: string, body: object = {}): Promise<{ error?: object }> {
  const connection = await as(user);
  try {
    return (await connection.request(subject, JSON.stringify(body), { timeout: 60_000 })).json();
  } finally {
    await connection.close();
  }
}

const others = (service: ServiceName): Producer[] => services.filter((one) => one !== service);
const configOf = async (stream: string) => (await jsm.streams.info(stream)).config;

describe.each(services)('an intruder who has the password of %s cannot', (service) => {
  const own = streamNameOf(service);
  const consumed = producersFor(service);
  const [read = 'directory' as const] = consumed;

  test.each<[string, object]>([
    [
      'store the calls and replies of others in its stream',
      { subjects: [`${service}.>`, 'rpc.>', 'operator.>', '_INBOX.orders.>'], no_ack: true },
    ],
    [
      'copy a stream that it may not read',
      {
        sources: [
          {
            name:
              others(service)
                .find((one) => !consumed.includes(one))
                ?.toUpperCase() ?? 'QUEUE',
          },
        ],
      },
    ],
    ['have its stream send on what it stores', { republish: { src: '>', dest: 'rpc.loyalty.award' } }],
    ['drop the history of its stream', { discard: 'old', max_msgs: 1 }],
    ['let a publication delete what came before it', { allow_rollup_hdrs: true }],
  ])('%s', async (_what, change) => {
    const config = await configOf(own);
    await expect(request(service, `$JS.API.STREAM.UPDATE.${own}`, { ...config, ...change })).rejects.toThrow(refused);
    await expect(request(service, `$JS.API.STREAM.CREATE.${own}`, { ...config, ...change })).rejects.toThrow(refused);
    expect(await configOf(own)).toEqual(config);
  });

  test.each(['ANYTHING', 'KV_anything'])('make the stream %s', async (name) => {
    await expect(request(service, `$JS.API.STREAM.CREATE.${name}`, { name, subjects: ['rpc.>'] })).rejects.toThrow(refused);
  });

  test('delete or purge a stream, or delete a message', async () => {
    for (const stream of [own, ...consumed.map((producer) => streamNameOf(producer))])
      for (const step of ['DELETE', 'PURGE', 'MSG.DELETE'])
        await expect(request(service, `$JS.API.STREAM.${step}.${stream}`, { seq: 1 })).rejects.toThrow(refused);
  });

  test('delete history by the header of a publication', async () => {
    const connection = await as(service);
    const rollup = headers();
    rollup.set('Nats-Rollup', 'all');
    await expect(jetstream(connection).publish(`${service}.thing.happened.v1.all`, '{}', { headers: rollup })).rejects.toThrow(/rollup/);
    await connection.close();
  });

  test.each(['a consumer of its own that sends events elsewhere', 'its own consumer, changed so that it sends events elsewhere'])(
    'make %s',
    async (what) => {
      const stream = streamNameOf(read);
      const name = what.startsWith('its own') ? service : 'thief';
      const config = { durable_name: name, deliver_subject: 'rpc.loyalty.award', ack_policy: 'none' };
      for (const subject of [
        `$JS.API.CONSUMER.CREATE.${stream}`,
        `$JS.API.CONSUMER.CREATE.${stream}.${name}`,
        `$JS.API.CONSUMER.CREATE.${stream}.${name}.${read}.>`,
        `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${name}`,
      ])
        await expect(request(service, subject, { stream_name: stream, config })).rejects.toThrow(refused);
    },
  );

  test('delete, pause or reset a consumer, its own one included', async () => {
    for (const name of services)
      for (const step of ['DELETE', 'PAUSE', 'RESET', 'LEADER.STEPDOWN', 'UNPIN'])
        await expect(request(service, `$JS.API.CONSUMER.${step}.${streamNameOf(read)}.${name}`)).rejects.toThrow(refused);
  });

  test('read the events of a producer that it does not consume', async () => {
    for (const producer of others(service).filter((one) => !consumed.includes(one))) {
      const stream = streamNameOf(producer);
      for (const subject of [`$JS.API.STREAM.MSG.GET.${stream}`, `$JS.API.DIRECT.GET.${stream}`, `$JS.API.STREAM.INFO.${stream}`])
        await expect(request(service, subject, { seq: 1 })).rejects.toThrow(refused);
      const connection = await as(service);
      await expect(firstOf(connection, `${producer}.>`)).rejects.toThrow(refused);
      await connection.close();
    }
  });

  test('take or acknowledge the events of another service', async () => {
    const stream = streamNameOf(read);
    for (const other of services.filter((one) => one !== service)) {
      await expect(request(service, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${other}`, { batch: 1 })).rejects.toThrow(refused);
      await expect(request(service, `$JS.ACK.${stream}.${other}.1.1.1.1.0`)).rejects.toThrow(refused);
    }
  });

  test('receive replies or calls that are for others', async () => {
    for (const other of services.filter((one) => one !== service))
      for (const subject of [`_INBOX.${other}.>`, `rpc.${other}.>`, `operator.*.${other}.>`, '>', '_INBOX.>', '$JS.>']) {
        const connection = await as(service);
        await expect(firstOf(connection, subject)).rejects.toThrow(refused);
        await connection.close();
      }
  });

  test('publish under a subject of others by sending itself a request that wants its reply there', async () => {
    const connection = await as(service);
    connection.subscribe(`${service}.>`, { callback: (_error, message) => void message.respond('{"forged":true}') });
    for (const reply of [
      ...others(service).map((other) => `${other}.order.paid.v1.all`),
      'rpc.loyalty.of.no.one',
      'operator.ada.loyalty.status',
    ]) {
      const refusal = firstRefusal(connection);
      connection.publish(`${service}.thing.happened.v1.all`, '{}', { reply });
      expect(await refusal).toMatch(`"${reply}"`);
    }
    await connection.close();
  });

  test('read the numbered events of a service that it does not consume', async () => {
    for (const other of services.filter((one) => one !== service && !consumed.includes(one)))
      for (const subject of [`rpc.${other}.events.read`, `rpc.${other}.events.read.all`])
        await expect(request(service, subject)).rejects.toThrow(refused);
  });
});

async function firstRefusal(connection: Connection): Promise<string> {
  for await (const status of connection.status())
    if (status.type === 'error' && refused.test(status.error.message)) return status.error.message;
  throw new Error('the connection was closed');
}

async function firstOf(connection: Connection, subject: string): Promise<void> {
  for await (const _ of connection.subscribe(subject)) return;
}

describe.each(services)('the work of %s passes:', (service) => {
  test('it looks at its stream and those that it consumes, reads single events, pulls and acknowledges', async () => {
    const connection = await as(service);
    const mine = await jetstreamManager(connection, { checkAPI: false });
    for (const producer of [service, ...producersFor(service)]) {
      const stream = streamNameOf(producer);
      expect((await mine.streams.info(stream)).state.messages).toBeGreaterThan(0);
      const subject = `${producer}.thing.happened.v1.all`;
      expect((await mine.streams.getMessage(stream, { last_by_subj: subject }))?.subject).toBe(subject);
    }
    for (const producer of producersFor(service)) {
      const consumer = await jetstream(connection).consumers.get(streamNameOf(producer), service);
      const message = await consumer.next({ expires: 60_000 });
      expect(message?.subject).toMatch(new RegExp(`^${producer}\\.`));
      expect(await message?.ackAck()).toBe(true);
    }
    await connection.close();
  });

  test('it publishes, and reads numbered events of the services that it consumes', async () => {
    const connection = await as(service);
    expect((await jetstream(connection).publish(`${service}.thing.happened.v1.all`, '{}')).stream).toBe(streamNameOf(service));
    for (const producer of producersFor(service).filter((one) => one !== 'directory')) {
      const serving = await as(producer);
      serving.subscribe(`rpc.${producer}.events.read`, { callback: (_error, message) => void message.respond('{"last":1}') });
      await serving.flush();
      expect(await request(service, `rpc.${producer}.events.read`)).toEqual({ last: 1 });
      await serving.close();
    }
    await connection.close();
  });
});

test('a reply of the broker itself goes to any subject, so a stream may hold what its producer did not publish', async () => {
  const loyalty = await as('loyalty');
  loyalty.publish('$JS.API.STREAM.MSG.GET.LOYALTY', '{"seq":1}', { reply: 'notifications.thing.happened.v2.all' });
  const stored = () => jsm.streams.getMessage('NOTIFICATIONS', { last_by_subj: 'notifications.thing.happened.v2.all' });
  await until(async () => /stream_msg_get_response/.test((await stored())?.string() ?? ''), { describe: 'the reply in the stream' });
  await loyalty.close();
});

describe('the user that keeps the streams', () => {
  test('makes what was deleted again, at the latest after a reconnection', async () => {
    await jsm.streams.delete('QUEUE');
    await keeper.reconnect();
    const isBack = async () => (await jsm.consumers.info('QUEUE', 'loyalty')).name === 'loyalty';
    await until(() => isBack().catch(() => false), { describe: 'the stream and its consumers to be back' });
  });

  test.each([
    ['publish an event', 'orders.order.paid.v1.all'],
    ['read an event', '$JS.API.STREAM.MSG.GET.ORDERS'],
    ['take an event', '$JS.API.CONSUMER.MSG.NEXT.ORDERS.loyalty'],
    ['delete a stream', '$JS.API.STREAM.DELETE.ORDERS'],
    ['purge a stream', '$JS.API.STREAM.PURGE.ORDERS'],
    ['call an RPC', 'rpc.loyalty.award'],
    ['act as an operator', 'operator.ada.loyalty.dead-letters.retry'],
  ])('may not %s', async (_what, subject) => {
    await expect(request('streams', subject)).rejects.toThrow(refused);
  });
});
