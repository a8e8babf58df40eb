import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClientHttp2Session } from 'node:http2';
import { testFolder } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { passFilesIn, passTypeId } from './messages-environment.ts';
import { type RunningMessages, startMessages } from './start-messages.ts';
import { connectToApns, providerToken, push } from './testing/apns-client.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;
let session: ClientHttp2Session;
let token: string;

const now = new Date('2026-03-04T05:06:07.890Z');
const seconds = Math.floor(now.getTime() / 1_000);
const device = 'a1'.repeat(32);
const alert = { aps: { alert: { title: 'Ready', body: 'Come in.' } }, order: 'o1' };

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: folder.path, now: () => now });
  token = await providerToken(messages.environment, seconds);
});

afterAll(async () => {
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});

beforeEach(() => {
  messages.controls.empty();
  messages.controls.clearFaults();
  session = connectToApns(messages.environment);
});

afterEach(() => session.destroy());

interface Attempt {
  readonly path?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string;
}

const send = ({ path = `/3/device/${device}`, headers = {}, body = JSON.stringify(alert) }: Attempt = {}) =>
  push(
    session,
    path,
    { authorization: `bearer ${token}`, 'apns-topic': messages.environment.APNS_TOPIC, 'apns-push-type': 'alert', ...headers },
    body,
  );

test('an accepted push returns its id, and its texts, data and collapse key are in the inbox', async () => {
  const id = randomUUID();
  const sent = await send({ headers: { 'apns-id': id, 'apns-collapse-id': 'order:o1', 'apns-priority': '10' } });
  expect([sent.status, sent.headers['apns-id'], sent.body]).toEqual([200, id, null]);
  expect(messages.inbox.all()).toEqual([
    {
      n: expect.any(Number),
      at: now.toISOString(),
      channel: 'push',
      by: 'apns',
      to: device,
      from: null,
      title: 'Ready',
      text: 'Come in.',
      html: null,
      data: { order: 'o1' },
      collapseKey: 'order:o1',
      headers: expect.objectContaining({ 'apns-push-type': 'alert', 'apns-priority': '10' }),
    },
  ]);
});

test('its certificate is trusted only by clients that trust the authority of the folder', async () => {
  const stranger = connectToApns(messages.environment, { ca: undefined });
  await expect(push(stranger, `/3/device/${device}`, {}, '{}')).rejects.toThrow(/certificate|lost/);
  stranger.destroy();
});

describe('a provider token is refused', () => {
  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  test.each<[string, number, Parameters<typeof providerToken>[2], string]>([
    ['when it is signed with another key', 0, { key: another }, 'InvalidProviderToken'],
    ['when it is of another team', 0, { iss: 'SOMEONE123' }, 'InvalidProviderToken'],
    ['when its key id is unknown', 0, { kid: 'OTHERKEY12' }, 'InvalidProviderToken'],
    ['when it was made in the future', 300, {}, 'InvalidProviderToken'],
    ['when it is older than an hour', -3_601, {}, 'ExpiredProviderToken'],
  ])('%s', async (_, after, fault, reason) => {
    const bad = await providerToken(messages.environment, seconds + after, fault);
    expect(await send({ headers: { authorization: `bearer ${bad}` } })).toMatchObject({ status: 403, body: { reason } });
    expect(messages.inbox.all()).toEqual([]);
  });

  test('when it is absent', async () => {
    expect(await send({ headers: { authorization: undefined } })).toMatchObject({ status: 403, body: { reason: 'MissingProviderToken' } });
  });

  test('when it replaces another one within twenty minutes on one connection; a new connection accepts it', async () => {
    const [early, late] = [seconds - 1_199, seconds - 1_201];
    const replacing = async (present: number) => {
      const first = await send({ headers: { authorization: `bearer ${await providerToken(messages.environment, present)}` } });
      return [first.status, (await send()).status];
    };
    expect(await replacing(early)).toEqual([200, 429]);
    session.destroy();
    session = connectToApns(messages.environment);
    expect(await replacing(late)).toEqual([200, 200]);
  });
});

describe('a push is refused for', () => {
  const tooLong = JSON.stringify({ aps: { alert: 'é'.repeat(2_040) } });
  test.each<[string, Attempt, number, string]>([
    ['another path', { path: '/3/devices/x' }, 404, 'BadPath'],
    ['another method', { headers: { ':method': 'PUT' } }, 405, 'MethodNotAllowed'],
    ['no device', { path: '/3/device/' }, 400, 'MissingDeviceToken'],
    ['a malformed device token', { path: '/3/device/phone' }, 400, 'BadDeviceToken'],
    ['no topic', { headers: { 'apns-topic': undefined } }, 400, 'MissingTopic'],
    ['another app’s topic', { headers: { 'apns-topic': 'com.example.other' } }, 400, 'DeviceTokenNotForTopic'],
    ['no push type', { headers: { 'apns-push-type': undefined } }, 400, 'InvalidPushType'],
    ['an unknown push type', { headers: { 'apns-push-type': 'shout' } }, 400, 'InvalidPushType'],
    ['a key over 64 bytes', { headers: { 'apns-collapse-id': 'é'.repeat(33) } }, 400, 'BadCollapseId'],
    ['an id that is no UUID', { headers: { 'apns-id': '1' } }, 400, 'BadMessageId'],
    ['an unknown priority', { headers: { 'apns-priority': '7' } }, 400, 'BadPriority'],
    ['the highest priority of a silent push', { headers: { 'apns-push-type': 'background', 'apns-priority': '10' } }, 400, 'BadPriority'],
    ['an expiration that is not a time', { headers: { 'apns-expiration': 'soon' } }, 400, 'BadExpirationDate'],
    ['an empty body', { body: '' }, 400, 'PayloadEmpty'],
    ['an alert without content', { body: '{"aps":{}}' }, 400, 'PayloadEmpty'],
    ['more than 4096 bytes', { body: tooLong }, 413, 'PayloadTooLarge'],
  ])('%s', async (_, attempt, status, reason) => {
    expect(await send(attempt)).toMatchObject({ status, body: { reason } });
    expect(messages.inbox.all()).toEqual([]);
  });

  test('a device without the app, and the response says since when', async () => {
    messages.controls.dropDevice(device);
    expect(await send()).toMatchObject({ status: 410, body: { reason: 'Unregistered', timestamp: now.getTime() } });
  });

  test('a fault, with 503 or 429, as often as the fault says', async () => {
    messages.controls.fail({ at: 'apns', how: 'unavailable', times: 2 });
    messages.controls.fail({ at: 'apns', how: 'too_many' });
    const responses = [];
    for (let i = 0; i < 4; i += 1) responses.push(await send());
    expect(responses.map(({ status, body }) => [status, body?.reason])).toEqual([
      [503, 'ServiceUnavailable'],
      [503, 'ServiceUnavailable'],
      [429, 'TooManyRequests'],
      [200, undefined],
    ]);
  });
});

test('a fault closes the connection before the push is accepted, or afterwards so that the response is lost', async () => {
  messages.controls.fail({ at: 'apns', how: 'hang_up' });
  await expect(send()).rejects.toThrow();
  expect(messages.inbox.all()).toEqual([]);
  session = connectToApns(messages.environment);
  messages.controls.fail({ at: 'apns', how: 'hang_up_after' });
  await expect(send()).rejects.toThrow();
  expect(messages.inbox.to(device)).toHaveLength(1);
});

test('the empty push of a pass, without a push type, is accepted for the wallet', async () => {
  const topic = 'pass.com.example.corner';
  const sent = await send({ headers: { 'apns-topic': topic, 'apns-push-type': undefined }, body: '{}' });
  expect(sent.status).toBe(200);
  expect(messages.inbox.all()).toEqual([expect.objectContaining({ channel: 'wallet', by: 'apns', to: device, title: topic })]);
});

test('the certificate of a pass type is accepted instead of a token, for passes of that type only', async () => {
  const files = passFilesIn(folder.path);
  const chain = `${readFileSync(files.certificate, 'utf8')}\n${readFileSync(files.intermediate, 'utf8')}`;
  const certified = connectToApns(messages.environment, { cert: chain, key: readFileSync(files.key) });
  const by = (topic: string | undefined, type?: string) =>
    push(certified, `/3/device/${device}`, { 'apns-topic': topic, 'apns-push-type': type }, JSON.stringify(alert));
  expect((await by(passTypeId)).status).toBe(200);
  expect(await by('pass.com.example.other')).toMatchObject({ status: 400, body: { reason: 'TopicDisallowed' } });
  expect(await by(messages.environment.APNS_TOPIC, 'alert')).toMatchObject({ status: 400, body: { reason: 'TopicDisallowed' } });
  certified.destroy();
  expect(messages.inbox.all()).toHaveLength(1);
});
