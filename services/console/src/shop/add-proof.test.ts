import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Proof } from '@corner/console-api';
import { type BookRow, csvOf, hashedTextOf, sumsOfBook, tableOfBook } from '@corner/contracts';
import { stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const store_id = stores.coffee.id;
const date = '2026-05-01';
const path = `/api/shop/${store_id}/proof`;
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const nothing = { order_number: null, order_id: null, count: null, tender: null, given_pence: null, reference: null };
const tip = { ...nothing, name: '', at: `${date}T12:00:00.000000Z`, provider_ref: null, drawer_id: null, by_id: null, currency: 'GBP' };
const rows: readonly BookRow[] = [{ ...tip, row: 1, what: 'tip', amount_pence: 150 }];

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'EdDSA', use: 'sig' }];

function bookOf(): string {
  const day = { v: 1, store_id, store: 'S1', date, currency: 'GBP', number: 1, begins_at: tip.at, ends_at: tip.at, closed_at: tip.at };
  const payload = { ...day, before: null, sums: sumsOfBook(rows), rows: rows.map((row) => hashOf(hashedTextOf(row))) };
  const signed = `${encode({ alg: 'EdDSA', kid: 'k1' })}.${encode(payload)}`;
  const proof = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
  return csvOf(tableOfBook({ store_id, date, number: 1, signed: true, proof, first_day: date, rows: [...rows] }).rows);
}

const webhook = { id: '0190a000-0000-7000-8000-0000000000aa', url: null, types: [], description: '', state: 'active', waiting: 0, dead: 0 };
const listed = [{ ...webhook, last_number: 4, old_secret_until: null, created_at: tip.at, ended_at: null }];
const digest = { webhook_id: webhook.id, from: 1, to: 4, count: 4, hash: 'h4', signed: { body: '', id: '', timestamp: '', signature: '' } };
const replies: Record<string, { status?: number; text: string }> = {
  '/api/v1/orders/reports/keys': { text: JSON.stringify({ keys }) },
  [`/api/v1/notifications/stores/${store_id}/webhooks`]: { text: JSON.stringify({ webhooks: listed }) },
  '/api/v1/events': { text: JSON.stringify({ first_number: 1, last_number: 4, events: [] }) },
  '/api/v1/events/digest': { text: JSON.stringify(digest) },
  '/api/v1/orders/reports/book': { text: bookOf() },
};
const callers = new Set<string | undefined>();
let gateway: Server;
let tested: TestConsole;
let bo: Browser;

beforeAll(async () => {
  gateway = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://gateway');
    const isDay = pathname.endsWith('/book') && !searchParams.has('format');
    const reply = isDay ? { status: 200, text: JSON.stringify({ first_day: date }) } : replies[pathname];
    if (reply) callers.add(request.headers.authorization?.slice(0, 7));
    response.writeHead(reply?.status ?? (reply ? 200 : 404)).end(reply?.text ?? '{}');
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const { port } = gateway.address() as AddressInfo;
  tested = await startTestConsole({ env: { GATEWAY_URL: `http://127.0.0.1:${port}` } });
  bo = tested.open();
  await bo.signIn('bo');
});
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]();
  gateway?.close();
});

const prove = async (from = date, to = date) => await bo.get(`${path}?from=${from}&to=${to}`);

test('a manager reads that webhooks and days are complete, with counts and hashes, by their own token', async () => {
  const [, hash] = /^proof,1,(.*)\r$/m.exec(bookOf())?.map(hashOf) ?? [];
  expect(await (await prove()).json()).toEqual({
    at: expect.stringMatching(/^\d{4}-/),
    state: 'complete',
    links: [
      { link: `webhook ${webhook.id}`, found: 'events 1 to 4, h4', faults: [], state: 'complete' },
      { link: 'closed days', found: `1 days, 1 rows, ${hash}`, faults: [], state: 'complete', hash },
    ],
  });
  expect([...callers]).toEqual(['Bearer ']);
});

test('a day that is not closed yet and an event that waits are no faults, and not called complete', async () => {
  const before = { ...replies };
  replies['/api/v1/orders/reports/book'] = { text: 'row,kind\r\n' };
  const today = new Date().toISOString().slice(0, 10);
  const { state, links } = (await (await prove(today, today)).json()) as Proof;
  expect([state, links.map((link) => link.state)]).toEqual(['so_far', ['complete', 'nothing_yet']]);
  Object.assign(replies, before);
});

test('a row that was changed after the day was closed is named, and so is an event that is missing', async () => {
  const before = { ...replies };
  replies['/api/v1/orders/reports/book'] = { text: bookOf().replace('1.50', '0.50') };
  replies['/api/v1/events/digest'] = { text: JSON.stringify({ ...digest, count: 3 }) };
  const { state, links } = (await (await prove()).json()) as Proof;
  expect([state, links.map(({ faults }) => faults[0])]).toEqual([
    'not_complete',
    ['1 to 4: 3 events, and 4 numbers were given', expect.stringContaining('row 1 was changed, and is now: tip 0.50 GBP')],
  ]);
  Object.assign(replies, before);
});

test.each([
  ['2026-05-01', '2026-04-30', 'to: is before from'],
  ['2026-05-01', '2026-06-01', 'to: is more than 31 days after from: choose a shorter range'],
  ['yesterday', '2026-05-01', 'from: '],
])('the range %s to %s is refused with a sentence that names the field', async (from, to, message) => {
  const response = await prove(from, to);
  const { error } = (await response.json()) as { error: { message: string } };
  expect([response.status, error.message]).toEqual([400, expect.stringContaining(message)]);
});

test('what the gateway refuses is refused; staff and people of other stores are not asked for', async () => {
  const before = { ...replies };
  replies['/api/v1/orders/reports/book'] = { status: 429, text: JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'Wait.' } }) };
  expect([(await prove()).status, await (await prove()).json()]).toMatchObject([
    429,
    { error: { code: 'RATE_LIMITED', message: 'Wait.' } },
  ]);
  Object.assign(replies, before);
  for (const [name, code] of [
    ['cy', 'INSUFFICIENT_ROLE'],
    ['olu', 'STORE_FORBIDDEN'],
  ] as const) {
    const other = tested.open();
    await other.signIn(name);
    const response = await other.get(`${path}?from=${date}&to=${date}`);
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code } }]);
  }
});
