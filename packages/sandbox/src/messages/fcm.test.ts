import { generateKeyPairSync } from 'node:crypto';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningMessages, startMessages } from './start-messages.ts';
import { googleClientOf } from './testing/google-client.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;
let client: ReturnType<typeof googleClientOf>;
let token: string;
let now: Date;

const device = 'dev1:APA91bCornerAnaPhone';
const seconds = () => now.getTime() / 1_000;
const hello = { token: device, notification: { title: 'Ready', body: 'Come in.' } };

beforeAll(async () => {
  folder = await testFolder();
  now = new Date('2026-03-04T05:06:07Z');
  messages = await startMessages({ folder: folder.path, now: () => now });
  client = googleClientOf(messages);
});

afterAll(async () => {
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});

beforeEach(async () => {
  now = new Date('2026-03-04T05:06:07Z');
  messages.controls.empty();
  messages.controls.clearFaults();
  token = await client.accessToken({ iat: seconds() });
});

describe('the token endpoint', () => {
  test('returns an access token for an hour in exchange for a good assertion', async () => {
    const response = await client.exchange({ iat: seconds() });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ access_token: expect.any(String), expires_in: 3_599, token_type: 'Bearer' });
  });

  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  test.each([
    ['another key', { key: stranger }, 'invalid_grant'],
    ['another audience', { aud: 'https://oauth2.example.com/token' }, 'invalid_grant'],
    ['another account', { iss: 'other@example.com' }, 'invalid_grant'],
    ['an unknown key id', { kid: 'other' }, 'invalid_grant'],
    ['more than an hour', { lifetime: 3_700 }, 'invalid_grant'],
    ['a time that is over', { lifetime: -120 }, 'invalid_grant'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
  ])('refuses an assertion with %s', async (_, fault, error) => {
    const response = await client.exchange({ iat: seconds(), ...fault });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error, error_description: expect.any(String) });
  });

  test('refuses an assertion made in the future', async () => {
    expect((await client.exchange({ iat: seconds() + 600 })).status).toBe(400);
  });

  test('refuses another grant type', async () => {
    const response = await fetch(client.account.token_uri, { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }) });
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error: 'unsupported_grant_type' })]);
  });

  test('responds with 503 and 429 when a fault says so', async () => {
    messages.controls.fail({ at: 'token', how: 'unavailable' });
    messages.controls.fail({ at: 'token', how: 'too_many' });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await client.exchange({ iat: seconds() })).status);
    expect(statuses).toEqual([503, 429, 200]);
  });
});

test('an accepted message gets a name, and its texts, data and collapse key are in the inbox', async () => {
  const sent = await client.send(token, {
    ...hello,
    data: { order: 'o1' },
    android: { collapse_key: 'order:o1', priority: 'HIGH', ttl: '3600s' },
  });
  expect(sent).toMatchObject({ status: 200, body: { name: expect.stringMatching(/^projects\/corner-sandbox\/messages\/.+/) } });
  expect(messages.inbox.all()).toEqual([
    {
      n: expect.any(Number),
      at: '2026-03-04T05:06:07.000Z',
      channel: 'push',
      by: 'fcm',
      to: device,
      from: null,
      title: 'Ready',
      text: 'Come in.',
      html: null,
      data: { order: 'o1' },
      collapseKey: 'order:o1',
      headers: {},
    },
  ]);
});

describe('a message is refused', () => {
  const unauthenticated = { message: expect.stringContaining('authentication'), status: 'UNAUTHENTICATED' };
  afterAll(() => expect(messages.inbox.all()).toEqual([]));

  test('without a token, with an invented one, and with one that has expired', async () => {
    expect(await client.send(undefined, hello)).toMatchObject({ status: 401, body: { error: unauthenticated } });
    expect(await client.send('ya29.invented', hello)).toMatchObject({ status: 401, body: { error: unauthenticated } });
    now = new Date(now.getTime() + 3_600_000);
    expect(await client.send(token, hello)).toMatchObject({ status: 401, body: { error: unauthenticated } });
  });

  test('with every earlier token after they were revoked', async () => {
    messages.controls.expireTokens();
    expect((await client.send(token, hello)).status).toBe(401);
  });

  test('with a token of another scope, and for another project', async () => {
    const narrow = await client.accessToken({ iat: seconds(), scope: 'https://www.googleapis.com/auth/wallet_object.issuer' });
    expect((await client.send(narrow, hello)).body.error?.status).toBe('PERMISSION_DENIED');
    expect((await client.send(token, hello, 'elsewhere')).body.error?.status).toBe('PERMISSION_DENIED');
  });

  test.each<[string, unknown]>([
    ['no JSON', 'hello'],
    ['no message', '{}'],
    ['no target', { notification: { title: 'x' } }],
    ['two targets', { ...hello, topic: 'news' }],
    ['a token that is none', { ...hello, token: 'a b' }],
    ['a field that is unknown', { ...hello, title: 'x' }],
    ['a number in data', { ...hello, data: { n: 1 } }],
    ['a reserved name in data', { ...hello, data: { 'google.x': '1' } }],
    ['a time to live without its unit', { ...hello, android: { ttl: '3600' } }],
    ['a time to live over four weeks', { ...hello, android: { ttl: '2419201s' } }],
    ['more than 4096 bytes', { ...hello, data: { text: 'é'.repeat(2_048) } }],
  ])('%s', async (_, message) => {
    expect(await client.send(token, message)).toMatchObject({ status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } });
  });

  test('for an unknown field, which the response names', async () => {
    const { body } = await client.send(token, { ...hello, android: { collapse: 'x' } });
    expect(body.error?.details).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'message.android', description: expect.stringContaining('Unknown name "collapse"') }],
    });
  });

  test('for a device without the app, until the app is back', async () => {
    messages.controls.dropDevice(device);
    expect(await client.send(token, hello)).toEqual({
      status: 404,
      retryAfter: null,
      body: {
        error: {
          code: 404,
          message: expect.any(String),
          status: 'NOT_FOUND',
          details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'UNREGISTERED' }],
        },
      },
    });
  });

  test('by a fault, with 503 or 429, as often as the fault says and for its device only', async () => {
    messages.controls.fail({ at: 'fcm', how: 'unavailable', to: device, times: 2 });
    messages.controls.fail({ at: 'fcm', how: 'too_many', to: device, retryAfterSeconds: 7 });
    const responses = [];
    for (let i = 0; i < 3; i += 1) responses.push(await client.send(token, hello));
    expect(responses.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [503, null],
      [503, null],
      [429, '7'],
    ]);
    expect(responses[2]?.body.error?.details?.[0]?.errorCode).toBe('QUOTA_EXCEEDED');
  });

  test('by a fault that closes the connection before the message is accepted', async () => {
    messages.controls.fail({ at: 'fcm', how: 'hang_up' });
    await expect(client.send(token, hello)).rejects.toThrow('fetch failed');
  });
});

test('a fault can lose the response to an accepted message', async () => {
  messages.controls.fail({ at: 'fcm', how: 'hang_up_after' });
  await expect(client.send(token, hello)).rejects.toThrow('fetch failed');
  expect(messages.inbox.to(device)).toHaveLength(1);
});

test('a message that is only to be validated is checked and not delivered', async () => {
  expect(await client.send(token, JSON.stringify({ validate_only: true, message: hello }))).toMatchObject({ status: 200 });
  expect(messages.inbox.all()).toEqual([]);
});
