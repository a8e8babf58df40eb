import { randomUUID } from 'node:crypto';
import { testBroker, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BrokerConnection, beginConnecting } from '../broker/broker-connection.ts';
import { createLog } from '../telemetry/log.ts';
import { createLiveStreams } from './live-streams.ts';

const log = createLog('test', 'silent');
let connection: BrokerConnection;
let release: () => Promise<void>;
beforeAll(async () => {
  const broker = await testBroker();
  connection = beginConnecting({ login: { NATS_URL: broker.url }, namespace: broker.namespace, name: 'live', log });
  await connection.broker;
  release = async () => {
    await connection[Symbol.asyncDispose]();
    await broker[Symbol.asyncDispose]();
  };
});
afterAll(async () => await release());

const ana = { type: 'customer', id: randomUUID(), address: '10.0.0.1' };
const guest = { type: 'anonymous', id: 'anonymous', address: '10.0.0.1' };
const streams = (max = 6_000) => createLiveStreams({ producer: 'orders', broker: connection.current, log, max });

async function publishText(text: string): Promise<void> {
  const { connection: wire, subject } = await connection.broker;
  wire.publish(subject('orders.order.paid.v1.all'), text);
  await wire.flush();
}
const publish = (envelope: object) => publishText(JSON.stringify(envelope));

test('an event wakes the streams whose attributes it has, and no other; what is no event wakes none', async () => {
  await using live = streams();
  using own = live.open(ana);
  using other = live.open(ana);
  const woken: string[] = [];
  own.follow({ customerid: ana.id }, () => woken.push('own'));
  other.follow({ customerid: randomUUID() }, () => woken.push('other'));
  await until(() => woken.length === 2, { describe: 'the subscription' });
  woken.length = 0;
  for (const junk of ['', 'no JSON', 'null', '7']) await publishText(junk);
  await publish({ customerid: ana.id, storeid: randomUUID() });
  await publish({ customerid: randomUUID() });
  await publish({ customerid: ana.id });
  await until(() => woken.length >= 2, { describe: 'both events' });
  expect(woken).toEqual(['own', 'own']);
});

test('an event of another type wakes no stream that names one', async () => {
  await using live = streams();
  using menu = live.open(ana);
  using all = live.open(ana);
  const storeid = randomUUID();
  const woken: string[] = [];
  menu.follow({ storeid, type: 'store.switched' }, () => woken.push('menu'));
  all.follow({ storeid }, () => woken.push('all'));
  await until(() => woken.length === 2, { describe: 'the subscription' });
  woken.length = 0;
  await publish({ storeid, type: 'order.paid' });
  await publish({ storeid, type: 'store.switched' });
  await until(() => woken.length >= 3, { describe: 'both events' });
  expect(woken).toEqual(['all', 'menu', 'all']);
});

test('a caller may have ten streams open, six hundred share an address, and one that is closed makes room', async () => {
  await using live = streams();
  const open = Array.from({ length: 10 }, () => live.open(ana));
  expect(() => live.open(ana)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  const guests = Array.from({ length: 590 }, () => live.open(guest));
  expect(() => live.open(guest)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  open[0]?.[Symbol.dispose]();
  open[0]?.[Symbol.dispose]();
  using _again = live.open(ana);
  expect(() => live.open(ana)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  for (const stream of [...open, ...guests]) stream[Symbol.dispose]();
});

test('two hundred guests of one address do not end the live updates of others, nor do ten addresses end requests', async () => {
  await using live = streams();
  const open: Disposable[] = [];
  const openAll = (address: string) => {
    for (const id of Array.from({ length: 200 }, () => randomUUID()))
      for (let nth = 0; nth < 10; nth += 1) open.push(live.open({ type: 'customer', id, address }));
  };
  expect(() => openAll('10.0.0.1')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', headers: { 'Retry-After': '15' } }));
  expect(open).toHaveLength(600);
  open.push(live.open({ type: 'customer', id: randomUUID(), address: '10.0.0.2' }));
  for (let nth = 2; nth <= 10; nth += 1) expect(() => openAll(`10.0.0.${nth}`)).toThrow();
  expect(open).toHaveLength(6_000);
  expect(() => live.open({ ...ana, address: '10.0.0.99' })).toThrow(
    expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE', headers: { 'Retry-After': '15' } }),
  );
  for (const stream of open) stream[Symbol.dispose]();
});

test('a process that stops ends its streams, and opens no other', async () => {
  const live = streams();
  using stream = live.open(ana);
  expect(stream.stopping.aborted).toBe(false);
  await live[Symbol.asyncDispose]();
  expect(stream.stopping.aborted).toBe(true);
  expect(() => live.open(ana)).toThrow(expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE' }));
});
