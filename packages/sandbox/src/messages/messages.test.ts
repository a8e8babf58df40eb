import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import type { Message } from './inbox.ts';
import { passFilesIn } from './messages-environment.ts';
import { type RunningMessages, startMessages } from './start-messages.ts';
import { connectToApns, providerToken, push } from './testing/apns-client.ts';
import { googleClientOf } from './testing/google-client.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;

const now = new Date('2026-03-04T05:06:07Z');
const seconds = now.getTime() / 1_000;
const phone = 'dev1:APA91bCornerAnaPhone';
const tablet = 'a1'.repeat(32);

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: folder.path, now: () => now });
});

afterAll(async () => {
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});

beforeEach(() => messages.controls.empty());

async function mail({ environment }: RunningMessages, subject: string): Promise<void> {
  const transport = createTransport(environment.SMTP_URL);
  await transport.sendMail({ from: environment.MAIL_FROM, to: 'ana@example.com', subject, text: 'Hello' });
  transport.close();
}

const listed = async (query = ''): Promise<readonly Message[]> =>
  (await (await fetch(`${messages.url}/inbox.json${query}`)).json()) as Message[];
const operation = (name: string, body: unknown = {}) =>
  fetch(`${messages.url}/_sim/${name}`, { method: 'POST', body: JSON.stringify(body) });

test('one inbox contains the messages of all channels in order of arrival', async () => {
  const client = googleClientOf(messages);
  const session = connectToApns(messages.environment);
  await mail(messages, 'first');
  await client.send(await client.accessToken({ iat: seconds }), { token: phone, notification: { title: 'second' } });
  const headers = {
    authorization: `bearer ${await providerToken(messages.environment, seconds)}`,
    'apns-topic': messages.environment.APNS_TOPIC,
    'apns-push-type': 'alert',
  };
  await push(session, `/3/device/${tablet}`, headers, '{"aps":{"alert":"third"}}');
  await mail(messages, 'fourth');
  session.destroy();

  const all = await listed();
  expect(all).toEqual(messages.inbox.all());
  expect(all.map(({ by, title, text }) => [by, title || text])).toEqual([
    ['smtp', 'first'],
    ['fcm', 'second'],
    ['apns', 'third'],
    ['smtp', 'fourth'],
  ]);
  expect((await listed(`?to=ANA@example.com&to=${tablet}`)).map(({ by }) => by)).toEqual(['smtp', 'apns', 'smtp']);
  expect(await listed(`?after=${all[2]?.n}`)).toEqual(all.slice(3));
});

test('until resolves when the expected message arrives, and lists the inbox when it does not', async () => {
  const arrived = messages.inbox.until((all) => all.some(({ title }) => title === 'awaited'));
  await mail(messages, 'awaited');
  expect((await arrived).map(({ title }) => title)).toEqual(['awaited']);
  await expect(messages.inbox.until((all) => all.length > 1, 20)).rejects.toThrow('smtp to ana@example.com: awaited');
});

test('the page shows messages as text, reloads itself, and can neither run scripts nor load resources', async () => {
  await mail(messages, '<script>alert("x")</script>');
  const response = await fetch(messages.url);
  const page = await response.text();
  expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
  expect(page).toContain('<meta http-equiv="refresh" content="2">');
  expect(page).not.toMatch(/<script|<link|<img|https?:\/\//);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /);
  expect(policy).not.toContain('unsafe');
});

test('the controls work over HTTP, and invalid requests to them are rejected', async () => {
  expect((await operation('fail', { at: 'smtp', how: 'refused' })).status).toBe(200);
  await expect(mail(messages, 'refused')).rejects.toMatchObject({ responseCode: 550 });
  await operation('fail', { at: 'smtp', how: 'refused' });
  await operation('clear-faults');
  await mail(messages, 'taken');
  expect(await listed()).toHaveLength(1);
  await operation('empty');
  expect(await listed()).toEqual([]);

  const client = googleClientOf(messages);
  const token = await client.accessToken({ iat: seconds });
  await operation('drop-device', { token: phone });
  expect((await client.send(token, { token: phone })).status).toBe(404);
  await operation('expire-tokens');
  expect((await client.send(token, { token: phone })).status).toBe(401);

  expect([(await operation('fail', { at: 'fax', how: 'refused' })).status, (await operation('burn')).status]).toEqual([400, 404]);
  expect((await fetch(`${messages.url}/_sim/livez`)).status).toBe(200);
  expect((await fetch(`${messages.url}/nothing`)).status).toBe(404);
});

test('after a restart on the same folder and ports, a client can go on with its keys', async () => {
  const own = await testFolder();
  const first = await startMessages({ folder: own.path });
  const { ports, environment } = first;
  const files = () =>
    [
      environment.FCM_SERVICE_ACCOUNT_FILE,
      environment.APNS_KEY_FILE,
      environment.APNS_CA_FILE,
      ...Object.values(passFilesIn(own.path)),
    ].map((file) => readFileSync(file ?? ''));
  const present = files();
  await first.stop();
  const again = await startMessages({ folder: own.path, ports });
  expect(again.environment).toEqual(environment);
  expect(files()).toEqual(present);
  await mail(again, 'still here');
  const session = connectToApns(environment);
  expect((await push(session, '/3/device/x', {}, '{}')).status).toBe(400);
  session.destroy();
  await again.stop();
  await own[Symbol.asyncDispose]();
});

test('a taken port rejects the start, which leaves nothing listening', async () => {
  const inTheWay = createServer();
  await once(inTheWay.listen(0, '127.0.0.1'), 'listening');
  const { port } = inTheWay.address() as { port: number };
  for (const part of ['http', 'smtp', 'apns'] as const)
    await expect(startMessages({ folder: folder.path, ports: { [part]: port } })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  inTheWay.close();
});
