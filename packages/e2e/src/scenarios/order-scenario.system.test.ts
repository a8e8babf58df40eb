import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkAtRest, readBooks } from '../testing/checker.ts';
import { basket, customerState, newShopper, pay, runOrderScenario } from '../testing/order-scenario.ts';
import { callOnce } from '../testing/recording-client.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await sharedEnvironment();
});

describe('one order from the basket to the refund', () => {
  const traceId = randomBytes(16).toString('hex');

  test('an order earns its stamp, is collected and refunded, the stamp is reversed, and every invariant holds', async () => {
    const shopper = await newShopper(environment.system);
    await runOrderScenario({ ...environment, traceId }, shopper);
    expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
    expect(await customerState(environment.system, environment.history, shopper)).toMatchObject({
      stamp_count: 0,
      total_spent_pence: 0,
      order_count: 1,
    });
  });

  test('an order is one trace without a gap through every service it reaches', async () => {
    const spansOfOrder = () => environment.collector.spans.filter((span) => span.traceId === traceId);
    const hasSpan = (service: string, name: string) => spansOfOrder().some((span) => span.service === service && span.name === name);
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
    const orphans = () => {
      const known = new Set(spansOfOrder().map(({ spanId }) => spanId));
      return spansOfOrder().filter(({ parentSpanId, service }) => parentSpanId && !known.has(parentSpanId) && service !== 'gateway');
    };
    // Processes export spans in batches, so a child may arrive before its parent.
    await until(async () => expected.every(([service, name]) => hasSpan(service, name)) && orphans().length === 0, {
      describe: 'the spans of the order, each with its parent',
    });
    expect([...new Set(spansOfOrder().map(({ service }) => service))].sort()).toEqual([
      'gateway',
      'loyalty',
      'notifications',
      'orders',
      'queue',
    ]);
  });

  test('every log line about an order has its trace id', () => {
    const ids = new Set(environment.history.calls.map(({ response }) => (response as { order_id?: string }).order_id).filter(Boolean));
    expect(ids.size).toBeGreaterThan(0);
    const messages = ['request', 'event processed', 'rpc served'];
    for (const service of ['orders', 'loyalty'] as const) {
      const lines = linesOf(service).filter(({ msg }) => messages.includes(String(msg)));
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.filter(({ trace_id }) => !trace_id)).toEqual([]);
      expect(lines.some(({ trace_id }) => trace_id === traceId)).toBe(true);
    }
  });

  test('no log holds a client secret, a token or an e-mail address', () => {
    const logs = ['gateway', 'orders', 'loyalty', 'queue', 'notifications']
      .map((name) => readFileSync(`${environment.folder}/log/${name}.log`, 'utf8'))
      .join('\n');
    const created = environment.history.calls.filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok');
    for (const { response } of created) {
      const { client_secret, ephemeral_key } = response as { client_secret: string; ephemeral_key: string };
      expect(logs).not.toContain(client_secret);
      expect(logs).not.toContain(ephemeral_key);
    }
    expect(logs).not.toMatch(/eyJ[\w-]+\.eyJ/);
    expect(logs).not.toMatch(/@[\w-]+\.example/);
  });
});

describe('concurrent requests for one order', () => {
  test('50 concurrent creates with one idempotency key make one order and one intent, and return the same response', async () => {
    const shopper = await newShopper(environment.system);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        callOnce(environment.history, {
          operation: 'create',
          method: 'POST',
          url: `${environment.system.gatewayUrl}/api/v1/orders`,
          token: shopper.customer,
          body: basket(shopper.key),
          key: shopper.key,
        }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const books = await readBooks(environment.system);
    expect(books.intents.filter(({ metadata }) => metadata.order_id === responses[0]?.body.order_id)).toHaveLength(1);
  });

  test('confirmations that race the webhook write one ledger row and award one stamp', async () => {
    const shopper = await newShopper(environment.system);
    const url = `${environment.system.gatewayUrl}/api/v1/orders`;
    const created = await callOnce(environment.history, {
      operation: 'create',
      method: 'POST',
      url,
      token: shopper.customer,
      body: basket(shopper.key),
      key: shopper.key,
    });
    const intentId = String(created.body.payment_intent_id);
    // The payment sends the webhook; eight confirmations race it.
    await pay(environment.system, environment.history, intentId);
    const confirm = () =>
      callOnce(environment.history, {
        operation: 'confirm',
        method: 'POST',
        url: `${url}/confirm`,
        token: shopper.customer,
        body: { store_id: stores.coffee.id, payment_intent_id: intentId },
      });
    const responses = await Promise.all(Array.from({ length: 8 }, confirm));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
    expect(await customerState(environment.system, environment.history, shopper)).toMatchObject({ stamp_count: 1, order_count: 1 });
  });
});

function linesOf(service: string): Record<string, unknown>[] {
  return readFileSync(`${environment.folder}/log/${service}.log`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
