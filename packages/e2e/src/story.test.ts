import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stores } from '@corner/sandbox';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { checkAtRest, readBooks } from './checker.ts';
import { send } from './client.ts';
import { basket, customerState, narrateStory, newWalker, pay } from './story.ts';
import { type SystemUnderTest, startSystemUnderTest } from './testing/running-system.ts';

jest.setTimeout(90_000);

let under: SystemUnderTest;

beforeAll(async () => {
  under = await startSystemUnderTest();
});
afterAll(async () => {
  await under[Symbol.asyncDispose]();
});

describe('one order, from the basket to the refund', () => {
  const traceId = randomBytes(16).toString('hex');

  test('earns its stamp, is collected, refunded, and gives the stamp back; all books agree', async () => {
    const walker = await newWalker(under.system);
    await narrateStory({ ...under, traceId }, walker);
    expect(await checkAtRest(under.system, under.history)).toEqual([]);
    expect(await customerState(under.system, under.history, walker)).toMatchObject({
      stamp_count: 0,
      total_spent_pence: 0,
      order_count: 1,
    });
  });

  test('is one trace through every service it touched, without a gap', async () => {
    const ours = () => under.collector.spans.filter((span) => span.traceId === traceId);
    const named = (service: string, name: string) => ours().some((span) => span.service === service && span.name === name);
    const expected = [
      ['gateway', 'POST /api/v1/orders'],
      ['orders', 'POST /api/v1/orders'],
      ['orders', 'publish order.paid'],
      ['loyalty', 'serve loyalty.award'],
      ['loyalty', 'process order.paid'],
      ['notifications', 'process order.paid'],
      ['orders', 'publish order.refunded'],
      ['loyalty', 'process order.refunded'],
      ['loyalty', 'publish stamp.reversed'],
    ] as const;
    // Only what a client sent as its own parent is unknown to us, and that only the gateway sees.
    const orphans = () => {
      const known = new Set(ours().map(({ spanId }) => spanId));
      return ours().filter(({ parentSpanId, service }) => parentSpanId && !known.has(parentSpanId) && service !== 'gateway');
    };
    // Processes send their spans in batches, a child perhaps before its parent.
    await until(async () => expected.every(([service, name]) => named(service, name)) && orphans().length === 0, {
      describe: 'the spans of the story, each with its parent',
      timeoutMs: 15_000,
    });
    expect([...new Set(ours().map(({ service }) => service))].sort()).toEqual(['gateway', 'loyalty', 'notifications', 'orders']);
  });

  test('bears its trace in every line the services logged of it', () => {
    const ids = new Set(under.history.calls.map(({ answer }) => (answer as { order_id?: string }).order_id).filter(Boolean));
    expect(ids.size).toBeGreaterThan(0);
    const work = ['request', 'event processed', 'rpc served'];
    for (const service of ['orders', 'loyalty'] as const) {
      const lines = linesOf(service).filter(({ msg }) => work.includes(String(msg)));
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.filter(({ trace_id }) => !trace_id)).toEqual([]);
      expect(lines.some(({ trace_id }) => trace_id === traceId)).toBe(true);
    }
  });

  test('leaves no secret and nobody’s data in a log', () => {
    const logs = ['gateway', 'orders', 'loyalty', 'queue', 'notifications']
      .map((name) => readFileSync(`${under.folder}/log/${name}.log`, 'utf8'))
      .join('\n');
    const created = under.history.calls.filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok');
    for (const { answer } of created) {
      const { client_secret, ephemeral_key } = answer as { client_secret: string; ephemeral_key: string };
      expect(logs).not.toContain(client_secret);
      expect(logs).not.toContain(ephemeral_key);
    }
    expect(logs).not.toMatch(/eyJ[\w-]+\.eyJ/);
    expect(logs).not.toMatch(/@[\w-]+\.example/);
  });
});

describe('many at once', () => {
  test('50 creates under one key make one order and one intent, and answer the same', async () => {
    const walker = await newWalker(under.system);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        send(under.history, {
          operation: 'create',
          method: 'POST',
          url: `${under.system.gatewayUrl}/api/v1/orders`,
          token: walker.customer,
          body: basket(walker.key),
          key: walker.key,
        }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const books = await readBooks(under.system);
    expect(books.intents.filter(({ metadata }) => metadata.order_id === responses[0]?.body.order_id)).toHaveLength(1);
  });

  test('confirm and webhook at the same instant: one ledger row, one award', async () => {
    const walker = await newWalker(under.system);
    const url = `${under.system.gatewayUrl}/api/v1/orders`;
    const created = await send(under.history, {
      operation: 'create',
      method: 'POST',
      url,
      token: walker.customer,
      body: basket(walker.key),
      key: walker.key,
    });
    const intentId = String(created.body.payment_intent_id);
    // Paying sends the webhook; eight confirms race it.
    await pay(under.system, under.history, intentId);
    const confirm = () =>
      send(under.history, {
        operation: 'confirm',
        method: 'POST',
        url: `${url}/confirm`,
        token: walker.customer,
        body: { store_id: stores.coffee.id, payment_intent_id: intentId },
      });
    const responses = await Promise.all(Array.from({ length: 8 }, confirm));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await checkAtRest(under.system, under.history)).toEqual([]);
    expect(await customerState(under.system, under.history, walker)).toMatchObject({ stamp_count: 1, order_count: 1 });
  });
});

function linesOf(service: string): Record<string, unknown>[] {
  return readFileSync(`${under.folder}/log/${service}.log`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
