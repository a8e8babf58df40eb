import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMessages } from '../messages/start-messages.ts';
import { startPayments } from '../payments/start-payments.ts';

let folder: string;
let stop: () => Promise<unknown>;
const ports: Record<string, number> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'controls-'));
  const [payments, messages] = [await startPayments(), await startMessages({ folder })];
  Object.assign(ports, { payments: payments.port, messages: Number(new URL(messages.url).port) });
  stop = () => Promise.all([payments.stop(), messages.stop()]);
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

/** Asks a simulator's controls with these headers; fetch would not send some of them. */
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
