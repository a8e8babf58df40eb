import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMessages } from '../messages/start-messages.ts';
import { type RunningPayments, startPayments } from '../payments/start-payments.ts';

let folder: string;
let payments: RunningPayments;
let stop: () => Promise<unknown>;
const ports: Record<string, number> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'controls-'));
  payments = await startPayments();
  const messages = await startMessages({ folder });
  Object.assign(ports, { payments: payments.port, messages: Number(new URL(messages.url).port) });
  stop = () => Promise.all([payments.stop(), messages.stop()]);
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const ask = (port: number, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/_sim/clear-faults', method: 'POST', headers };
    request(options, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end('{}');
  });

const host = (port: number) => `localhost:${port}`;

test.each(['payments', 'messages'])('a page of another origin cannot use the controls of %s', async (simulator) => {
  const port = ports[simulator] ?? 0;
  for (const headers of [
    { host: host(port), origin: 'https://shop.example' },
    { host: host(port), origin: 'null' },
    { host: host(port), origin: `http://localhost:${port + 1}` },
    { host: host(port), 'sec-fetch-site': 'cross-site' },
    { host: host(port), 'sec-fetch-site': 'same-site' },
    { host: `shop.example:${port}`, origin: `http://shop.example:${port}`, 'sec-fetch-site': 'same-origin' },
  ]) {
    expect([headers, await ask(port, headers)]).toEqual([headers, 403]);
  }
});

test.each(['payments', 'messages'])('a program and a page of %s itself can use the controls', async (simulator) => {
  const port = ports[simulator] ?? 0;
  for (const headers of [
    { host: host(port) },
    { host: `${simulator}:${port}` },
    { host: `[::1]:${port}` },
    { host: host(port), origin: `http://${host(port)}`, 'sec-fetch-site': 'same-origin' },
    { host: host(port), 'sec-fetch-site': 'none' },
  ]) {
    expect([headers, await ask(port, headers)]).toEqual([headers, 200]);
  }
});

const preflight = (path: string, origin: string) =>
  fetch(`${payments.url}${path}`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });

test.each(['http://localhost:5173', 'https://localhost', 'http://127.0.0.1:8080', 'http://[::1]:3000', 'http://shop.localhost:5173'])(
  'a page at %s may call the payment simulator and read its response',
  async (origin) => {
    const { status, headers } = await preflight('/v1/payment_intents/pi_1/confirm', origin);
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization',
    });
    const read = await fetch(`${payments.url}/v1/balance`, { headers: { origin, authorization: 'Bearer sk_test_corner' } });
    expect([read.status, read.headers.get('access-control-allow-origin'), read.headers.get('vary')]).toEqual([200, origin, 'Origin']);
  },
);

test.each(['https://shop.example', 'http://localhost.example:5173', 'null', 'file://localhost'])(
  'a page at %s may not call it',
  async (origin) => {
    const { headers } = await preflight('/v1/payment_intents/pi_1/confirm', origin);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('the controls stay closed to every page of another origin', async () => {
  const { status, headers } = await preflight('/_sim/clear-faults', 'http://localhost:5173');
  expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
});
