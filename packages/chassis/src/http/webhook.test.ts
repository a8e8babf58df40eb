import { Problem, type Role } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningService } from '../service.ts';
import { otherStoreId, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { type ProducerContext, producer } from '../testing/services.ts';
import type { Webhook } from './serve.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;

const path = '/webhooks/things/{thing}';
const webhooks: readonly Webhook<ProducerContext>[] = [
  {
    path,
    run: async ({ params, query, body, header }) => ({
      status: 201,
      body: { thing: params.thing, tag: query.get('tag'), bytes: [...body], proof: header('authorization') },
    }),
  },
  {
    method: 'GET',
    path,
    run: async () => ({
      status: 200,
      headers: { 'Content-Type': 'application/vnd.thing', 'Cache-Control': 'private' },
      body: Buffer.from([0, 255]),
    }),
  },
  { method: 'DELETE', path, run: async () => ({ status: 204 }) },
  {
    path: '/webhooks/large',
    caller: { types: ['merchant'], role: 'manager' },
    maxBytes: 300 * 1024,
    run: async ({ body, caller }) => ({ status: 200, body: { bytes: body.length, by: caller.id } }),
  },
  {
    path: '/webhooks/refused',
    run: async () => {
      throw new Problem('WEBHOOK_SIGNATURE_INVALID');
    },
  },
];

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start({ ...producer(), webhooks });
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

test('a webhook gets path parameters, query, headers and the bytes of the body, whatever its content type', async () => {
  const headers = { authorization: 'ThingPass x', 'content-type': 'application/json' };
  const response = await fetch(`${orders.url}/webhooks/things/a%20b?tag=7`, { method: 'POST', headers, body: '{"not json' });
  expect([response.status, await response.json()]).toEqual([
    201,
    { thing: 'a b', tag: '7', bytes: [...Buffer.from('{"not json')], proof: 'ThingPass x' },
  ]);
});

test('a webhook responds with bytes and headers of its own, with no body, or with a problem', async () => {
  const got = await fetch(`${orders.url}/webhooks/things/a`);
  expect([...(await got.bytes())]).toEqual([0, 255]);
  expect([got.headers.get('content-type'), got.headers.get('cache-control')]).toEqual(['application/vnd.thing', 'private']);
  const gone = await fetch(`${orders.url}/webhooks/things/a`, { method: 'DELETE' });
  expect([gone.status, await gone.text()]).toEqual([204, '']);
  expect((await fetch(`${orders.url}/webhooks/refused`, { method: 'POST' })).status).toBe(400);
});

test('a NUL character in the address of a webhook is refused, because no text in the database can hold one', async () => {
  for (const [address, field] of [
    ['a%00b', 'params.thing'],
    ['a?tag=%00&tag=7', 'query.tag'],
  ]) {
    const response = await fetch(`${orders.url}/webhooks/things/${address}`, { method: 'POST' });
    const problem = { error: { message: `${field}: holds a NUL character, which no text may` } };
    expect([response.status, await response.json()]).toMatchObject([400, problem]);
  }
});

test('an entry point that names callers takes their tokens, at the store in the query, and the bytes that it allows', async () => {
  const id = '0190a000-0000-7000-8000-0000000000b1';
  const tokenOf = (role: Role) => platform.issuer.token({ typ: 'merchant', sub: id, stores: [{ id: storeId, role }] });
  const send = async (bytes: number, query: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization: `Bearer ${authorization}` };
    const response = await fetch(`${orders.url}/webhooks/large${query}`, { method: 'POST', headers, body: Buffer.alloc(bytes) });
    return (await response.json()) as { error?: object };
  };
  const manager = await tokenOf('manager');
  expect(await send(300 * 1024, `?store_id=${storeId.toUpperCase()}`, manager)).toEqual({ bytes: 300 * 1024, by: id });
  const refusal = (code: string) => ({ error: { code } });
  expect(await send(1, `?store_id=${storeId}`)).toMatchObject(refusal('UNAUTHENTICATED'));
  expect(await send(1, `?store_id=${storeId}`, await tokenOf('staff'))).toMatchObject(refusal('INSUFFICIENT_ROLE'));
  expect(await send(1, `?store_id=${otherStoreId}`, manager)).toMatchObject(refusal('STORE_FORBIDDEN'));
  expect(await send(1, '', manager)).toMatchObject(refusal('VALIDATION_FAILED'));
  const { error } = await send(300 * 1024 + 1, `?store_id=${storeId}`, manager);
  expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 300 KiB.' });
});
