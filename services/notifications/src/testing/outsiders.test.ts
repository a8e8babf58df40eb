// covers what push services, mail servers, wallets and receivers of webhooks may answer
import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { answers, fixedClock, type Outsider, startOutsider, type TestFolder, testFolder } from '@corner/testkit';
import { type TestCertificates, testCertificates } from '@corner/testkit/certificates';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openApns } from '../messages/adapters/apns.ts';
import type { Delivery } from '../messages/adapters/channel.ts';
import { openEmail } from '../messages/adapters/email.ts';
import { openFcm } from '../messages/adapters/fcm.ts';
import { openTwilio } from '../messages/adapters/twilio.ts';
import { openWebPush } from '../messages/adapters/web-push.ts';
import { openReceivers } from '../subscriptions/adapters/receiver.ts';
import { openApplePush } from '../wallet/adapters/apple-push.ts';
import { openGoogleWallet } from '../wallet/adapters/google-wallet.ts';
import type { CompletePass } from '../wallet/rules.ts';

const { now } = fixedClock('2026-06-01T12:00:00Z');
const seed = Number(process.env.FAST_CHECK_SEED ?? 1);

let folder: TestFolder;
let certificates: TestCertificates;
beforeAll(async () => {
  folder = await testFolder();
  certificates = await testCertificates(folder.path);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

const delivery: Delivery = {
  id: '0190a000-0000-7000-8000-0000000000f1',
  to: 'abc123',
  title: 'Ready',
  body: 'Come in.',
  collapseKey: 'k'.repeat(43),
  expiresAt: null,
  createdAt: now(),
  isRepeat: true,
};
const pass: CompletePass = {
  serial: 's1',
  kind: 'stamp_card',
  customerId: 'c',
  storeId: 's',
  storeName: 'Corner Coffee',
  voucherId: null,
  state: 'active',
  authToken: 't',
  details: null,
} as unknown as CompletePass;

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const ec = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const account = (url: string) => ({
  client_email: 'a@b.example',
  private_key: privateKey,
  private_key_id: 'k',
  project_id: 'p',
  token_uri: `${url}/token`,
});
const granted = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 40\r\nConnection: close\r\n\r\n{"access_token":"t","expires_in":3600   }');
const sender = createECDH('prime256v1');
const publicKey = sender.generateKeys('base64url');
const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
const authority = () => readFileSync(certificates.authority, 'utf8');
const hostOf = (url: string) => new URL(url).host;

const outcomes = ['delivered', 'gone', 'rejected', 'deferred'];
const isOutcome = (value: unknown) => outcomes.includes((value as { status: string }).status);

/** Each outsider: whether it speaks TLS, its response, its call, and a check that the result is one of the documented ones. */
const outsiders: readonly (readonly [string, boolean, object, (outsider: Outsider) => Promise<unknown>, (end: unknown) => boolean])[] = [
  [
    'FCM',
    false,
    { error: { status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] } },
    async (o) => {
      const respond = o.respond;
      o.respond = (request) => (request.startsWith('POST /token') ? granted : respond(request));
      return await openFcm({ account: account(o.url), apiBase: o.url }, now).deliver(delivery);
    },
    isOutcome,
  ],
  [
    'Google’s tokens',
    false,
    { access_token: 't', expires_in: 3600 },
    (o) => openFcm({ account: account(o.url), apiBase: o.url }, now).deliver(delivery),
    isOutcome,
  ],
  [
    'APNs',
    true,
    { reason: 'BadDeviceToken' },
    async (o) => {
      const channel = openApns(
        { key: ec.privateKey, keyId: 'k', teamId: 't', topic: 'app', address: hostOf(o.url), authority: authority() },
        now,
      );
      try {
        return await channel.deliver(delivery);
      } finally {
        await channel.close();
      }
    },
    isOutcome,
  ],
  [
    'web push',
    false,
    { reason: 'gone' },
    (o) =>
      openWebPush(
        { publicKey, privateKey: sender.getPrivateKey().toString('base64url'), subject: 'mailto:a@b.example', services: [o.url] },
        now,
      ).deliver({ ...delivery, to: `${o.url}/push/1`, keys }),
    isOutcome,
  ],
  [
    'Twilio',
    false,
    { messages: [{ body: 'x', status: 'sent', date_created: 'Mon, 01 Jun 2026 12:00:00 +0000' }], code: 21211 },
    (o) => openTwilio({ accountSid: 'AC1', authToken: 't', from: '+1', apiBase: o.url, webhook: null }, now).deliver(delivery),
    isOutcome,
  ],
  [
    'Google Wallet',
    false,
    { id: 'x' },
    (o) =>
      openGoogleWallet({ account: account(o.url), issuerId: '1', apiBase: o.url, baseUrl: 'https://shop.example' }, now).update(pass, []),
    (end) => Array.isArray((end as { goneTokens: unknown }).goneTokens),
  ],
  [
    'Apple’s passes',
    true,
    { reason: 'BadDeviceToken' },
    async (o) => {
      const [certificate, key] = [readFileSync(certificates.client.certificate, 'utf8'), readFileSync(certificates.client.key, 'utf8')];
      const push = openApplePush({
        address: hostOf(o.url),
        authority: authority(),
        certificate,
        intermediate: '',
        key,
        keyPassphrase: null,
        topic: 'pass',
      });
      try {
        return await push.push('abc');
      } finally {
        await push.close();
      }
    },
    (end) => end === 'pushed' || end === 'gone' || end instanceof Error,
  ],
  [
    'a receiver of webhooks',
    false,
    { ok: true },
    async (o) => {
      const receivers = openReceivers({ allowedHosts: [hostOf(o.url)], ownHosts: [] }, now);
      try {
        return await receivers.post({ url: `${o.url}/hook`, headers: {}, body: '{}' });
      } finally {
        await receivers.close();
      }
    },
    (end) => typeof (end as { detail: unknown }).detail === 'string',
  ],
];

test('whatever an outsider answers, a call ends with an outcome of its own and with nothing else', async () => {
  const tls = () => ({ key: readFileSync(certificates.server.key), cert: readFileSync(certificates.server.certificate) });
  for (const [name, isSecure, valid, call, isNamed] of outsiders) {
    const ends = fc.sample(answers(valid), { numRuns: 40, seed }).map(async ({ bytes }) => {
      await using outsider = await startOutsider(isSecure ? tls() : undefined);
      outsider.respond = () => bytes;
      const end = await call(outsider).catch((error: unknown) => ({ thrown: error }));
      return isNamed(end) ? null : { name, sent: bytes.toString().slice(-200), end };
    });
    expect((await Promise.all(ends)).filter((end) => end !== null)).toEqual([]);
  }
});

const lines = fc.oneof(
  fc.constantFrom('250 OK', '220 mail', '354 go on', '421 busy', '550 no', '999', '250-', '25', 'null', '\u0000\u0001', '220-a\r\n220 b'),
  fc.string(),
  fc.constant('2'.repeat(100_000)),
);

test('whatever a mail server says, a delivery ends with an outcome and with nothing else', async () => {
  const ends = fc.sample(fc.array(lines, { minLength: 1, maxLength: 8 }), { numRuns: 60, seed }).map(async (said) => {
    const server = createServer((socket) => {
      const left = [...said];
      const say = () => (left.length > 0 ? socket.write(`${left.shift()}\r\n`) : socket.end());
      socket.on('error', () => {}).on('data', say);
      say();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const channel = openEmail({ url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, from: 'a@b.example', dkim: null });
    const mail = { senderName: null, replyTo: null, subject: 's', text: 't', html: '<p>t</p>', language: 'en', unsubscribeUrl: null };
    const end = await channel.deliver({ id: '1', to: 'c@d.example', mail }).catch((error: unknown) => ({ thrown: error }));
    await channel.close();
    server.close();
    return isOutcome(end) ? null : { said, end };
  });
  expect((await Promise.all(ends)).filter((end) => end !== null)).toEqual([]);
});
