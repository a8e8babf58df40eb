import { stampApproved, voucherMinted } from '@corner/contracts';
import { startTestGateway } from '@corner/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { signUnsubscription } from '../crypto.ts';
import { cardEvents } from './testing/events.ts';
import { customerSnapshot, type Guest, type Messaging, startMessaging } from './testing/messaging.ts';

let messaging: Messaging;
let gateway: Awaited<ReturnType<typeof startTestGateway>>;
beforeAll(async () => {
  messaging = await startMessaging();
  gateway = await startTestGateway({ url: messaging.running.service.url });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await messaging[Symbol.asyncDispose]();
});

const secret = 'a-development-secret-of-unsubscribe-links';
const at = (link: string) => link.replace('http://gateway.corner.example.com', gateway.url);
const linkOf = ({ customerId, storeId }: Guest, toggle: Parameters<typeof signUnsubscription>[0]['toggle']) =>
  `${gateway.url}/unsubscribe/${signUnsubscription({ customerId, storeId, toggle, consent: 0 }, secret)}`;

const click = (link: string) =>
  fetch(at(link), { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), redirect: 'error' });

const tokenOf = ({ customerId }: Guest) => messaging.running.issuer.token({ typ: 'customer', sub: customerId, scope: 'customer:read' });

async function prefer(guest: Guest, changes: Record<string, boolean>): Promise<void> {
  const headers = { Authorization: `Bearer ${await tokenOf(guest)}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ storeId: guest.storeId, ...changes });
  expect((await fetch(`${gateway.url}/api/v1/notifications/preferences`, { method: 'POST', headers, body })).status).toBe(200);
}

async function preferencesOf(guest: Guest) {
  const { storeId } = guest;
  const token = await tokenOf(guest);
  const response = await fetch(`${gateway.url}/api/v1/notifications/preferences`, { headers: { Authorization: `Bearer ${token}` } });
  const { preferences } = (await response.json()) as { preferences: readonly { readonly storeId: string }[] };
  return preferences.find((row) => row.storeId === storeId);
}

const publishedAbout = ({ customerId }: Guest) =>
  messaging.running.service.database.any(sql.type(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) }))`
    select type, data from outbox where customer_id = ${customerId} order by id`);

test('one click on a mail’s List-Unsubscribe stops that kind of message at that store, and no other', async () => {
  const guest = await messaging.guest({ devices: [] });
  const stamp = cardEvents(guest).stamp(stampApproved);
  await messaging.publish(stamp);
  messaging.advance({ seconds: 3 });
  await messaging.messagesOf(stamp);
  const [mail] = messaging.received(guest);
  const link = mail?.headers['list-unsubscribe']?.slice(1, -1) ?? '';
  expect((await click(link)).status).toBe(200);

  const [again, voucher] = [cardEvents(guest).stamp(stampApproved, 2), cardEvents(guest).voucher(voucherMinted)];
  await messaging.publish(again, voucher);
  messaging.advance({ seconds: 3 });
  expect(await messaging.messagesOf(again)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unwanted' })]);
  expect(await messaging.messagesOf(voucher)).toEqual([expect.objectContaining({ state: 'sent' })]);
});

async function linkOfMail(guest: Guest, sequence = 1): Promise<string> {
  const stamp = cardEvents(guest).stamp(stampApproved, sequence);
  await messaging.publish(stamp);
  messaging.advance({ seconds: 3 });
  await messaging.messagesOf(stamp);
  return messaging.received(guest).at(-1)?.headers['list-unsubscribe']?.slice(1, -1) ?? '';
}

test('a link stops nothing once the customer has switched those messages on again; that of a mail of since then does', async () => {
  const guest = await messaging.guest({ devices: [] });
  const first = await linkOfMail(guest);
  for (const _ of ['used', 'used again']) expect((await click(first)).status).toBe(200);
  await prefer(guest, { stampEventsEnabled: true });
  const published = (await publishedAbout(guest)).length;
  for (const method of ['GET', 'POST']) {
    const response = await fetch(at(first), { method });
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('a newer e-mail')]);
  }
  expect(await preferencesOf(guest)).toMatchObject({ stampEventsEnabled: true });
  expect(await publishedAbout(guest)).toHaveLength(published);

  const second = await linkOfMail(guest, 2);
  expect(second).not.toBe(first);
  await prefer(guest, { voucherEventsEnabled: false });
  await prefer(guest, { voucherEventsEnabled: true, marketingEnabled: true });
  expect((await click(second)).status).toBe(200);
  expect(await preferencesOf(guest)).toMatchObject({ stampEventsEnabled: false, voucherEventsEnabled: true, marketingEnabled: true });
});

test.each([
  ['stampEventsEnabled', false],
  ['voucherEventsEnabled', false],
  ['penaltyEventsEnabled', false],
  ['messagesMuted', true],
] as const)('a link for %s sets it to %s, publishes that once, and changes nothing when it is used again', async (toggle, value) => {
  const guest = await messaging.guest();
  const [before, link] = [await preferencesOf(guest), linkOf(guest, toggle)];
  const replies = await Promise.all([click(link), click(link), click(link)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const after = await preferencesOf(guest);
  expect(before).toBeUndefined();
  expect(after).toMatchObject({ marketingEnabled: false, classReminders: true, [toggle]: value });
  expect(Object.values<unknown>(after ?? {}).filter((on) => on === false)).toHaveLength(toggle === 'messagesMuted' ? 1 : 3);
  expect(await publishedAbout(guest)).toEqual([
    { type: 'prefs.changed', data: expect.objectContaining({ store_id: guest.storeId, changed: { [toggle]: value } }) },
  ]);
});

describe('the page of a link', () => {
  test('asks, and opening it changes nothing, because programs that scan mail follow links', async () => {
    const guest = await messaging.guest();
    const link = linkOf(guest, 'voucherEventsEnabled');
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200);
    expect((await fetch(link)).headers.get('ratelimit')).not.toBeNull();
    const html = await (await fetch(link)).text();
    expect(html).toContain('Stop messages about vouchers from Bea’s Bakery?');
    expect(html).toMatch(/<form method="post">[\s\S]*<button/);
    expect(await publishedAbout(guest)).toEqual([]);
  });

  test('is in the customer’s language, also when it is done', async () => {
    const guest = await messaging.guest({ language: 'fr' });
    const link = linkOf(guest, 'stampEventsEnabled');
    expect(await (await fetch(link)).text()).toContain('Ne plus recevoir de messages sur les tampons de Bea’s Bakery');
    expect(await (await click(link)).text()).toContain('C’est fait.');
  });

  test('shows a store’s name as text, cannot be framed, loads nothing, and is stored nowhere', async () => {
    const guest = await messaging.guest({}, { name: '<script>alert(1)</script>' });
    const response = await fetch(linkOf(guest, 'stampEventsEnabled'));
    expect(await response.text()).not.toContain('<script');
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]) expect(policy).toContain(rule);
    expect([response.headers.get('cache-control'), response.headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
  });
});

test.each<[string, (token: string) => string]>([
  ['a signature of another secret', () => 'other'],
  ['one character changed', (token) => `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.slice(-1)}`],
  ['another customer’s claim', (token) => `${Buffer.from('x:y:stampEventsEnabled').toString('base64url')}.${token.split('.')[1]}`],
  ['another spelling', (token) => `${token}=`],
  [
    'the number of a later consent',
    (token) => `${Buffer.from(`${Buffer.from(token.split('.')[0] ?? '', 'base64url')}:9`).toString('base64url')}.${token.split('.')[1]}`,
  ],
  ['no signature', (token) => token.split('.')[0] ?? ''],
  ['percent escapes', () => '%00%ff'],
])('a link with %s is not valid, and says so', async (_, forge) => {
  const guest = await messaging.guest();
  const { customerId, storeId } = guest;
  const unsubscription = { customerId, storeId, toggle: 'stampEventsEnabled', consent: 0 } as const;
  const valid = signUnsubscription(unsubscription, secret);
  const forged = forge(valid);
  const token = forged === 'other' ? signUnsubscription(unsubscription, 'x'.repeat(32)) : forged;
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`${gateway.url}/unsubscribe/${token}`, { method });
    expect([400, 404]).toContain(response.status);
  }
  expect(await publishedAbout(guest)).toEqual([]);
});

test('a link of a store that is unknown is not valid', async () => {
  const { customerId } = await messaging.guest();
  expect((await click(linkOf({ customerId, storeId: customerId } as Guest, 'stampEventsEnabled'))).status).toBe(404);
});

test('no log line contains a link’s token', async () => {
  const guest = await messaging.guest();
  const token = linkOf(guest, 'stampEventsEnabled').split('/').at(-1) ?? '';
  await click(`${gateway.url}/unsubscribe/${token}`);
  await messaging.publish(customerSnapshot(guest.customerId, 2));
  expect(JSON.stringify(messaging.running.lines)).not.toContain(token.slice(0, 40));
});
