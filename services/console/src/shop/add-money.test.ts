import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dayOfMoney, rpcSubject } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const path = `/api/shop/${stores.coffee.id}/money`;
const asked: unknown[] = [];
let entries = 1;
const store = { code: 'S1', name: 'Coffee', currency: 'GBP', time_zone: 'Europe/London' };
let gateway: Server;
let tested: TestConsole;
let connection: Awaited<ReturnType<typeof connectNats>>;
let bo: Browser;

beforeAll(async () => {
  gateway = createServer((_request, response) => response.end(JSON.stringify({ store })));
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const { port } = gateway.address() as AddressInfo;
  tested = await startTestConsole({ env: { RPC_DEADLINE_FACTOR: '1', GATEWAY_URL: `http://127.0.0.1:${port}` } });
  const { url, namespace } = tested.nats;
  connection = await connectNats(url, 'test');
  const entry = { at: '2026-05-01T12:00:00.000000Z', kind: 'charge', order_id: 'o-1', amount: 1_200, fee: 36, provider_id: '=cmd()' };
  const sums = { orders: 1, gross: 1_200, refunds: 0, fees: 36, dispute_shares: 0, net: 1_164 };
  connection.subscribe(`${namespace}${rpcSubject(dayOfMoney)}`, {
    callback(_error, request) {
      const { store_id, date } = request.json<{ store_id: string; date: string }>();
      asked.push({ store_id, date });
      const output = {
        store_id,
        date,
        currency: 'GBP',
        ...sums,
        entries: Array.from({ length: entries }, () => ({ ...entry, order_number: 'S1-1,0' })),
        disputes: [],
      };
      request.respond(JSON.stringify({ output }));
    },
  });
  await connection.flush();
  bo = tested.open();
  await bo.signIn('bo');
});
afterAll(async () => {
  await connection?.close();
  await tested?.[Symbol.asyncDispose]();
  gateway?.close();
});

test('the owner of a store reads its day of money', async () => {
  expect(await (await bo.get(`${path}?date=2026-05-01`)).json()).toMatchObject({ net: 1_164, entries: [{ amount: 1_200, fee: 36 }] });
  expect(asked.at(-1)).toEqual({ store_id: stores.coffee.id, date: '2026-05-01' });
  expect((await bo.get(`${path}?date=yesterday`)).status).toBe(400);
});

test('as a table it has times of the store and amounts in pounds with the signs of the page; its texts are no formulas', async () => {
  const response = await bo.get(`${path}.csv?date=2026-05-01`);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="money-2026-05-01.csv"');
  const lines = (await response.text()).split('\r\n');
  expect(lines).toEqual([
    'time (Europe/London),kind,order_number,order_id,amount,fee,currency,provider_id',
    `2026-05-01 13:00:00,charge,"S1-1,0",o-1,12.00,-0.36,GBP,'=cmd()`,
    '',
  ]);
});

test('a table that may lack entries of the day says so in its last line', async () => {
  entries = 2_000;
  const lines = (await (await bo.get(`${path}.csv?date=2026-05-01`)).text()).split('\r\n');
  expect(lines).toHaveLength(2_003);
  expect(lines.at(-2)).toBe(',only the first 2000 entries of the day are in this file,,,,,,');
  entries = 1;
});

test('others do not read it: neither its staff, nor people of another store, nor an operator', async () => {
  const [olu, cy] = [tested.open(), tested.open()];
  await olu.signIn('olu');
  await cy.signIn('cy');
  for (const [browser, at, code] of [
    [olu, path, 'STORE_FORBIDDEN'],
    [cy, path, 'INSUFFICIENT_ROLE'],
    [cy, path.toUpperCase().replace('/API/SHOP/', '/api/shop/').replace('/MONEY', '/money'), 'INSUFFICIENT_ROLE'],
    [bo, '/api/shop/0190a000-0000-7000-8000-0000000000ff/money', 'STORE_FORBIDDEN'],
  ] as const) {
    for (const ending of ['', '.csv']) {
      const response = await browser.get(`${at}${ending}?date=2026-05-01`);
      expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([403, code]);
    }
  }
});
