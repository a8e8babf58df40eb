import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fixedClock, type Outsider, startOutsider, type TestFolder, testFolder } from '@corner/testkit';
import { type TestCertificates, testCertificates } from '@corner/testkit/certificates';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApns } from '../messages/adapters/apns.ts';
import { openApplePush } from '../wallet/adapters/apple-push.ts';

const { now } = fixedClock('2026-06-01T12:00:00Z');
const message = { id: '0190a000-0000-7000-8000-0000000000f1', title: 'Ready', body: 'Come in.', collapseKey: 'k' };
const delivery = { ...message, expiresAt: null, createdAt: now(), isRepeat: false };

let folder: TestFolder;
let certificates: TestCertificates;
let apple: Outsider;
let said: (device: string) => readonly [number, string];
beforeAll(async () => {
  folder = await testFolder();
  certificates = await testCertificates(folder.path);
  apple = await startOutsider({ key: readFileSync(certificates.server.key), cert: readFileSync(certificates.server.certificate) });
  apple.respond = (request) => {
    const [status, reason] = said(/\/3\/device\/(\w+)/.exec(request)?.[1] ?? '');
    const body = JSON.stringify({ reason });
    return Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
  };
});
afterAll(async () => {
  await apple[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const read = (file: string) => readFileSync(file, 'utf8');
const server = () => ({ address: new URL(apple.url).host, authority: read(certificates.authority) });

const ways = {
  'an app’s messages': () => {
    const { privateKey: key } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const channel = openApns({ key, keyId: 'k', teamId: 't', topic: 'app', ...server() }, now);
    const named = { delivered: 'pushed', gone: 'gone', deferred: 'kept', rejected: 'rejected' };
    return { push: async (to: string) => named[(await channel.deliver({ ...delivery, to })).status], close: () => channel.close() };
  },
  passes: () => {
    const [certificate, key] = [read(certificates.client.certificate), read(certificates.client.key)];
    const pushes = openApplePush({ ...server(), certificate, intermediate: '', key, keyPassphrase: null, topic: 'pass' });
    return {
      push: async (token: string) => {
        const end = await pushes.push(token);
        return end instanceof Error ? 'kept' : end;
      },
      close: () => pushes.close(),
    };
  },
} as const;

describe.each(Object.keys(ways) as (keyof typeof ways)[])('%s', (name) => {
  const way = ways[name];

  test.each(['BadDeviceToken', 'DeviceTokenNotForTopic'])('%s of a third device in a row keeps it and those after it', async (reason) => {
    const { push, close } = way();
    said = () => [400, reason];
    const ends: string[] = [];
    for (const device of ['a', 'a', 'a', 'b', 'c', 'd', 'a']) ends.push(await push(device));
    expect(ends).toEqual(['gone', 'gone', 'gone', 'gone', 'kept', 'kept', 'kept']);
    said = () => [410, 'Unregistered'];
    expect(await push('e')).toBe('gone');
    said = () => [200, ''];
    expect(await push('c')).toBe('pushed');
    said = () => [400, reason];
    expect(await push('d')).toBe('gone');
    await close();
  });

  test('one that is refused beside others that are accepted is gone, however many there are', async () => {
    const { push, close } = way();
    said = (device) => (device.startsWith('bad') ? [400, 'BadDeviceToken'] : [200, '']);
    const ends: string[] = [];
    for (const device of ['bad1', 'ok', 'bad2', 'bad3', 'ok', 'bad4', 'bad5']) ends.push(await push(device));
    expect(ends).toEqual(['gone', 'pushed', 'gone', 'gone', 'pushed', 'gone', 'gone']);
    await close();
  });
});
