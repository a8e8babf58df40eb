import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningService } from '../service.ts';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { send } from '../testing/send.ts';
import { type ProducerContext, producer } from '../testing/services.ts';
import { versionTagOf } from './versions.ts';

let platform: Platform;
let service: RunningService<ProducerContext>;
let token: string;

beforeAll(async () => {
  platform = await preparePlatform();
  service = await platform.start(producer());
  token = await platform.issuer.token({ typ: 'merchant', sub: newThing(), stores: [{ id: storeId, role: 'owner' }] });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

type Headers = Record<string, string>;
const body = { store_id: storeId };
const read = (thing: string, headers: Headers = {}) =>
  send(`${service.url}/api/v1/things/${thing}/version?store_id=${storeId}`, { token, headers });
const raise = (thing: string, headers: Headers = {}) =>
  send(`${service.url}/api/v1/things/${thing}/version`, { method: 'PATCH', token, body, headers });
async function createThing(): Promise<string> {
  const thing = newThing();
  await send(`${service.url}/api/v1/things/${thing}`, { method: 'POST', token, body });
  return thing;
}

test('a read has the version as its ETag, and gets 304 without a body for it', async () => {
  const thing = await createThing();
  const first = await read(thing);
  expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"']);
  const again = await read(thing, { 'if-none-match': '"1"' });
  expect([again.status, again.text]).toEqual([304, '']);
  await raise(thing, { 'if-match': '"1"' });
  expect(await read(thing, { 'if-none-match': '"1"' })).toMatchObject({ status: 200, json: { version: 2 } });
});

test('a change to the version that is there is made, and its reply has the new ETag', async () => {
  const thing = await createThing();
  const changed = await raise(thing, { 'if-match': '"1"' });
  expect([changed.status, changed.json.version, changed.headers.get('etag')]).toEqual([200, 2, '"2"']);
  expect(await raise(thing, { 'if-match': '*' })).toMatchObject({ status: 200, json: { version: 3 } });
});

test('a repeat under an Idempotency-Key gets the first reply with its ETag, though the version is another by now', async () => {
  const thing = await createThing();
  const headers = { 'if-match': '"1"', 'idempotency-key': randomUUID() };
  await raise(thing, headers);
  const repeated = await raise(thing, headers);
  expect([repeated.status, repeated.headers.get('etag'), repeated.headers.get('idempotent-replayed')]).toEqual([200, '"2"', 'true']);
  expect((await read(thing)).json.version).toBe(2);
});

test('under one Idempotency-Key a field that is null and one that is absent are two requests', async () => {
  const thing = await createThing();
  const headers = { 'if-match': '*', 'idempotency-key': randomUUID() };
  await raise(thing, headers);
  const other = { method: 'PATCH', token, headers, body: { ...body, note: null } };
  expect(await send(`${service.url}/api/v1/things/${thing}/version`, other)).toMatchObject({
    status: 422,
    json: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
  });
});

test('of two changes to one version the second gets VERSION_CONFLICT', async () => {
  const thing = await createThing();
  const both = await Promise.all([raise(thing, { 'if-match': '"1"' }), raise(thing, { 'if-match': '"1"' })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  expect(both.find(({ status }) => status === 412)?.json.error).toMatchObject({
    code: 'VERSION_CONFLICT',
    message: 'The thing has version 2 by now.',
  });
});

test('a change without If-Match gets VERSION_REQUIRED, and one that names no single strong tag gets 400 that names the header', async () => {
  const thing = await createThing();
  expect(await raise(thing)).toMatchObject({ status: 428, json: { error: { code: 'VERSION_REQUIRED' } } });
  for (const bad of ['1', 'W/"1"', '"1", "2"', '"one"', '""', '"-1"'])
    expect(await raise(thing, { 'if-match': bad })).toMatchObject({
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED', message: expect.stringContaining('If-Match') } },
    });
  expect((await read(thing)).json.version).toBe(1);
});

test('an operation that is not versioned does not look at If-Match', async () => {
  const response = await send(`${service.url}/api/v1/things/${newThing()}`, {
    method: 'POST',
    token,
    body,
    headers: { 'if-match': '"9"' },
  });
  expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
});

test('a reply without a version is a fault of its contract', () => {
  expect(() => versionTagOf('{"version":null}')).toThrow('has no version');
});
