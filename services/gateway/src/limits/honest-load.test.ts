import { randomUUID } from 'node:crypto';
import { type FixedClock, fixedClock, type TestIssuer, testIssuer } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

/** Ordinary use from one address: an office, a market's Wi-Fi, a mobile operator, the shop's own network. */

const store = '0190a000-0000-7000-8000-000000000001';
const address = '203.0.113.1';
let upstream: TestUpstream;
let gateway: RunningGateway;
let clock: FixedClock;
let issuer: TestIssuer;
let refused: string[];

beforeAll(async () => {
  clock = fixedClock('2026-05-01T12:00:00Z');
  upstream = await startUpstream();
  issuer = await testIssuer({ now: clock.now });
  gateway = await startTestGateway(upstream, { TRUSTED_PROXIES: '127.0.0.1' }, { now: clock.now, keys: issuer.keys });
});
beforeEach(() => {
  clock.advance({ hours: 2 });
  refused = [];
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

async function send(method: 'GET' | 'POST', path: string, token?: string, times = 1): Promise<void> {
  const headers = { 'x-forwarded-for': address, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  for (let n = 0; n < times; n += 1) {
    const { status } = await call(`${gateway.url}/api/v1${path}`, {
      method,
      headers,
      ...(method === 'POST' ? { body: `{"store_id":"${store}"}` } : {}),
    });
    if (status === 429) refused.push(path);
  }
}
const customer = () => issuer.token({ typ: 'customer', sub: randomUUID() });

test('200 phones that are new at the shop read the menu, become guests, order, pay and follow their order within ten minutes', async () => {
  for (let phone = 0; phone < 200; phone += 1) {
    await send('GET', `/orders/stores/${store}/menu`, undefined, 2);
    await send('GET', `/orders/stores/${store}/slots`);
    await send('POST', '/directory/guests');
    const token = await customer();
    await send('POST', '/orders', token);
    await send('POST', '/orders/confirm', token);
    await send('GET', '/orders/mine', token, 3);
    await send('POST', '/loyalty/stamp-codes', token);
    await send('POST', '/loyalty/stamp-codes/redeem', token);
    clock.advance({ seconds: 3 });
  }
  expect([...new Set(refused)]).toEqual([]);
});

test('a queue of 30 is joined and looked at within a minute, by guests', async () => {
  for (let guest = 0; guest < 30; guest += 1) {
    await send('GET', `/queue/stores/${store}`);
    await send('POST', '/queue/join');
    await send('GET', `/queue/status?entry_id=${randomUUID()}`, undefined, 4);
    clock.advance({ seconds: 2 });
  }
  expect([...new Set(refused)]).toEqual([]);
});

test('a staff of five serve that lunch: each does something every second for two minutes', async () => {
  const staff = await Promise.all(
    Array.from({ length: 5 }, () => issuer.token({ typ: 'merchant', sub: randomUUID(), stores: [{ id: store, role: 'staff' }] })),
  );
  for (let second = 0; second < 120; second += 1) {
    for (const token of staff) await send(second % 2 ? 'GET' : 'POST', second % 2 ? `/orders?store_id=${store}` : '/loyalty/stamps', token);
    clock.advance({ seconds: 1 });
  }
  expect([...new Set(refused)]).toEqual([]);
});

test('a family of six at home orders and looks again and again', async () => {
  const family = await Promise.all(Array.from({ length: 6 }, customer));
  for (let minute = 0; minute < 5; minute += 1) {
    for (const token of family) {
      await send('GET', `/orders/stores/${store}/menu`, undefined, 10);
      await send('POST', '/orders', token);
      await send('GET', '/orders/mine', token, 20);
    }
    clock.advance({ minutes: 1 });
  }
  expect(refused).toEqual([]);
});
