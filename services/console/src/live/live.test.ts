import { randomUUID } from 'node:crypto';
import { directoryCustomer, directoryStore, type Envelope } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { stores } from '@corner/sandbox/demo';
import { type EventStream, envelopeOf, openEventStream, tcpProxyTo, testBroker, until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const [mine, other] = [stores.coffee.id, randomUUID()];
const secret = 'Secret Person';
let nats: Awaited<ReturnType<typeof testBroker>>;
let connection: Awaited<ReturnType<typeof connectNats>>;
let tested: TestConsole;
let heldAt: number | null = null;
let cy: Browser;
let pia: Browser;

beforeAll(async () => {
  // The directory's own stream would keep only the newest snapshot of a store.
  nats = await testBroker({ streams: false });
  connection = await connectNats(nats.url, 'test');
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: `${nats.namespace.toUpperCase()}DIRECTORY`, subjects: [`${nats.namespace}directory.>`] });
  tested = await startTestConsole({ nats, now: () => new Date(heldAt ?? Date.now()) });
  [cy, pia] = [tested.open(), tested.open()];
  await cy.signIn('cy');
  await pia.signIn('pia');
  // A stream that opens before the console has read all producers begins with a reset, so one of its events is awaited first.
  const stream = await open(pia, '');
  await publish(other);
  await stream.next();
  await stream.close();
});
beforeEach(() => {
  heldAt = null;
});
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]();
  await connection?.close();
  await nats[Symbol.asyncDispose]();
});

async function publish(storeId: string): Promise<Envelope> {
  const data = { version: 1, id: storeId, code: 'S1', name: secret };
  const at = new Date(Date.now()).toISOString();
  const envelope = envelopeOf(directoryStore, data, { aggregateId: storeId, storeId, at });
  await jetstream(connection).publish(`${nats.namespace}directory.store.v1.${storeId}`, JSON.stringify(envelope));
  return envelope;
}

const open = async (browser: Browser, query: string, lastId?: string): Promise<EventStream> =>
  await openEventStream(await browser.get(`/api/live${query}`, lastId === undefined ? {} : { 'last-event-id': lastId }));
const changeIn = ({ data }: { readonly data: string }) => JSON.parse(data) as Record<string, unknown>;

describe('live changes', () => {
  test('say what changed and where, and nothing of what the event holds', async () => {
    const stream = await open(cy, `?store_id=${mine}`);
    await publish(other);
    const envelope = await publish(mine);
    const { data } = await stream.next();
    expect(JSON.parse(data)).toEqual({
      producer: 'directory',
      type: 'store',
      subject: mine,
      event_id: envelope.id,
      store_id: mine,
      customer_id: null,
      at: envelope.time,
    });
    await stream.close();
  });

  test('go on after the last one that the browser got, at another replica too', async () => {
    const stream = await open(pia, '');
    const first = await publish(mine);
    expect(changeIn(await stream.next())).toMatchObject({ event_id: first.id });
    await stream.close();
    const missed = [(await publish(other)).id, (await publish(mine)).id];
    await using replica = await startTestConsole({ nats, env: tested.config });
    for (const console of [tested, replica]) {
      const browser = console.open();
      for (const [name, value] of pia.cookies) browser.cookies.set(name, value);
      const again = await open(browser, '', stream.lastId);
      for (const id of missed) expect(changeIn(await again.next())).toMatchObject({ event_id: id });
      missed.push((await publish(mine)).id);
      expect(changeIn(await again.next())).toMatchObject({ event_id: missed.at(-1) });
      await again.close();
    }
  });

  test('reach a browser that missed 1,500 of them, with none left out', async () => {
    const stream = await open(pia, '');
    const last = await publish(mine);
    // Changes of an earlier test may still arrive, here and below. The first browser follows while the server reads the changes; for the
    // second it holds them all.
    while (changeIn(await stream.next()).event_id !== last.id);
    await stream.close();
    const missed = (await Promise.all(Array.from({ length: 1_500 }, () => publish(mine)))).map(({ id }) => id);
    for (const browser of [pia, tested.open()]) {
      for (const [name, value] of pia.cookies) browser.cookies.set(name, value);
      const again = await open(browser, '', stream.lastId);
      const seen = new Set<unknown>();
      while (seen.size < missed.length) seen.add(changeIn(await again.next()).event_id);
      expect([...seen].toSorted()).toEqual(missed.toSorted());
      await again.close();
    }
  });

  test('begin at a server that has not read the streams yet with reading everything again, and go on after a known place', async () => {
    const stream = await open(pia, '');
    await publish(mine);
    await stream.next();
    await stream.close();
    const missed = await publish(mine);
    await using wayToNats = await tcpProxyTo(nats.url, { cut: true });
    await using started = await startTestConsole({ env: { ...tested.config, NATS_URL: wayToNats.url } });
    const browser = started.open();
    for (const [name, value] of pia.cookies) browser.cookies.set(name, value);
    const [fresh, back] = [await open(browser, ''), await open(browser, '', stream.lastId)];
    wayToNats.mend();
    expect((await fresh.next()).data).toBe('{}');
    expect(changeIn(await back.next())).toMatchObject({ event_id: missed.id });
    await fresh.close();
    await back.close();
  });

  test('do not count for those who left before their stream began', async () => {
    const browser = tested.open();
    await browser.signIn('olu');
    const ended = () => tested.lines.filter((line) => line.includes('"GET /api/live"')).length;
    const before = ended();
    tested.wayToIssuer.freeze();
    heldAt = Date.now() + 900_000;
    for (let count = 0; count < 25; count += 1) await browser.leave('/api/live');
    await until(() => ended() === before + 25, { describe: 'the server to see that the browsers left' });
    tested.wayToIssuer.thaw();
    const stream = await open(browser, '');
    await stream.close();
  });

  test('make a browser read everything again when its place is not known', async () => {
    for (const id of ['nonsense', 'zz.zz.zz.zz.zz']) {
      const stream = await open(pia, '', id);
      expect((await stream.next()).data).toBe('{}');
      await stream.close();
    }
  });

  test('are of the stores of the token, and of all stores for operators only', async () => {
    const refusal = async (path: string) => {
      const response = await cy.get(path);
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    };
    expect(await refusal(`/api/live?store_id=${other}`)).toEqual([403, 'STORE_FORBIDDEN']);
    expect(await refusal('/api/live')).toEqual([403, 'OPERATOR_ONLY']);
    expect((await tested.open().get('/api/live')).status).toBe(401);
  });

  test('end with the token', async () => {
    const browser = tested.open();
    const signedInAt = Date.now();
    await browser.signIn('pia');
    tested.wayToIssuer.cut();
    heldAt = signedInAt + 900_000 - 2_000;
    const stream = await open(browser, '');
    await stream.ended();
    tested.wayToIssuer.mend();
  });

  test('are the figures of the last hour', async () => {
    await publish(mine);
    const counted = async () => {
      const { counts, minutes } = (await (await pia.get('/api/operator/figures')).json()) as {
        counts: Record<string, number[]>;
        minutes: string[];
      };
      expect(minutes).toHaveLength(60);
      return counts.store?.reduce((sum, count) => sum + count, 0) ?? 0;
    };
    const before = await counted();
    await publish(mine);
    await until(async () => (await counted()) > before, { describe: 'the event to be counted' });
  });
});

test('the console and its log hold nothing of an event', async () => {
  const customerId = randomUUID();
  const data = { version: 1, id: customerId, name: secret };
  const envelope = envelopeOf(directoryCustomer, data, { aggregateId: customerId, customerId, at: new Date().toISOString() });
  const stream = await open(pia, '');
  await jetstream(connection).publish(`${nats.namespace}directory.customer.v1.all`, JSON.stringify(envelope));
  const seen = [(await stream.next()).data];
  while (!seen.at(-1)?.includes(customerId)) seen.push((await stream.next()).data);
  expect([...seen, ...tested.lines].join('')).not.toContain(secret);
  await stream.close();
});
