import { randomUUID } from 'node:crypto';
import { staffInvited } from '@corner/contracts';
import { startTestGateway } from '@corner/gateway/testing';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reachableBy } from './sagas/send-message.ts';
import { orderEvents } from './testing/events.ts';
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

const typed = (email = `${randomUUID()}@example.com`) => messaging.guest({ devices: [], email, email_verified: false });

async function receiptTo(guest: Pick<Guest, 'customerId' | 'storeId'>): Promise<string> {
  const paid = orderEvents(guest as Guest, randomUUID()).paid();
  await messaging.publish(paid);
  const [message] = await messaging.messagesOf(paid);
  return message?.reason ?? message?.state ?? 'none';
}
const mailsTo = (email: string) => messaging.sandbox.inbox.all().filter(({ to }) => to === email);

function linkOf(text: string | undefined, label: string): string {
  const url = new RegExp(`${label}: (\\S+)`).exec(text ?? '')?.[1] ?? '';
  return url.replace('http://gateway.corner.example.com', gateway.url);
}
const keep = 'Yes, keep me posted here';
const stop = 'This was not me';
const post = async (url: string) => (await fetch(url, { method: 'POST' })).status;

describe('an address that a customer typed', () => {
  test('gets one mail, which says so, and no other until its owner confirms it; then all of them', async () => {
    const email = `${randomUUID()}@example.com`;
    const guest = await typed(email);
    expect([await receiptTo(guest), await receiptTo(guest), await receiptTo(guest)]).toEqual(['sent', 'unconfirmed', 'unconfirmed']);
    const [first, ...others] = mailsTo(email);
    expect(others).toEqual([]);
    expect(first?.text).toContain('You get no further e-mail about it until you say yes.');
    expect(await reachableBy(guest.customerId, messaging.running.service.context)).toBe('none');

    const page = await fetch(linkOf(first?.text, keep));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Shall we keep you posted at this address?')]);
    expect(await receiptTo(guest)).toBe('unconfirmed');
    expect(await post(linkOf(first?.text, keep))).toBe(200);
    expect([await receiptTo(guest), await receiptTo(guest)]).toEqual(['sent', 'sent']);
    expect(mailsTo(email)).toHaveLength(3);
    expect(mailsTo(email)[2]?.text).not.toContain(keep);
    expect(await reachableBy(guest.customerId, messaging.running.service.context)).toBe('email');
  });

  test('gets no second mail for two messages at once', async () => {
    const email = `${randomUUID()}@example.com`;
    const guest = await typed(email);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => receiptTo(guest)));
    expect(outcomes.toSorted()).toEqual(['sent', ...Array.from({ length: 5 }, () => 'unconfirmed')]);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('whose first mail could not be delivered gets the next message as its first', async () => {
    const email = `${randomUUID()}@example.com`;
    const guest = await typed(email);
    messaging.sandbox.controls.fail({ at: 'smtp', how: 'refused', to: email });
    expect(await receiptTo(guest)).toMatch(/^smtp 5/);
    expect(await receiptTo(guest)).toBe('sent');
  });

  test('that a snapshot names as verified later gets everything', async () => {
    const email = `${randomUUID()}@example.com`;
    const guest = await typed(email);
    expect([await receiptTo(guest), await receiptTo(guest)]).toEqual(['sent', 'unconfirmed']);
    await messaging.publish(customerSnapshot(guest.customerId, 2, { email, devices: [] }));
    expect(await receiptTo(guest)).toBe('sent');
  });

  test('gets ten mails an hour and thirty a day at most, from all customers who type it, in any letters', async () => {
    const email = `${randomUUID()}@example.com`;
    const results: string[] = [];
    for (let n = 0; n < 12; n += 1) results.push(await receiptTo(await typed(n % 2 ? email : email.toUpperCase())));
    expect(results).toEqual([...Array.from({ length: 10 }, () => 'sent'), 'limit', 'limit']);
    for (let hour = 0; hour < 3; hour += 1) {
      messaging.clock.advance({ hours: 1 });
      for (let n = 0; n < 10; n += 1) await receiptTo(await typed(email));
    }
    const all = () => messaging.sandbox.inbox.all().filter(({ to }) => to.toLowerCase() === email);
    expect(all()).toHaveLength(30);
    messaging.clock.advance({ hours: 24 });
    expect(await receiptTo(await typed(email))).toBe('sent');
  });
});

describe('the link that says “This was not me”', () => {
  test('is in every mail, and asks first', async () => {
    const guest = await messaging.guest({ devices: [] });
    await receiptTo(guest);
    const link = linkOf(messaging.received(guest)[0]?.text, stop);
    expect(await (await fetch(link)).text()).toContain('Did someone else give us your address?');
    expect(await receiptTo(await typed(guest.email))).toBe('sent');
  });

  test('stops mail to the address that no one who signed in with it asked for, and voids what was confirmed', async () => {
    const email = `${randomUUID()}@example.com`;
    const [guest, other, owner] = [await typed(email), await typed(email), await messaging.guest({ devices: [], email })];
    await receiptTo(guest);
    const [mail] = mailsTo(email);
    expect(await post(linkOf(mail?.text, keep))).toBe(200);
    for (const _ of ['once', 'again']) expect(await post(linkOf(mail?.text, stop))).toBe(200);
    expect([await receiptTo(guest), await receiptTo(other), await receiptTo(owner)]).toEqual(['refused', 'refused', 'sent']);
    // The link proves that they own the mailbox: another answer counts, for the customer of that mail alone.
    expect(await post(linkOf(mail?.text, keep))).toBe(200);
    expect([await receiptTo(guest), await receiptTo(other)]).toEqual(['sent', 'refused']);
  });

  test('does one thing: it cannot be changed into the other, and a stranger’s text is no link', async () => {
    const email = `${randomUUID()}@example.com`;
    const guest = await typed(email);
    await receiptTo(guest);
    const link = linkOf(mailsTo(email)[0]?.text, stop);
    const [claim = '', signature = ''] = new URL(link).pathname.split('/').at(-1)?.split('.') ?? [];
    const other = Buffer.from(Buffer.from(claim, 'base64url').toString().replace('stop', 'keep')).toString('base64url');
    for (const token of [`${other}.${signature}`, `${claim}.`, 'x'])
      expect(await post(`${gateway.url}/unsubscribe/mail/${token}`)).toBe(404);
    expect(await receiptTo(guest)).toBe('unconfirmed');
  });
});

test('a customer whose sign-in names the address gets sixty mails an hour at most', async () => {
  const guest = await messaging.guest({ devices: [] });
  const sent = await Promise.all(Array.from({ length: 61 }, () => receiptTo(guest)));
  expect(sent.toSorted()).toEqual(['limit', ...Array.from({ length: 60 }, () => 'sent')]);
});

test('addresses are in the database as keyed hashes alone, beside the copy of the directory', async () => {
  const email = `${randomUUID()}@example.com`;
  const guest = await typed(email);
  await receiptTo(guest);
  await post(linkOf(mailsTo(email)[0]?.text, stop));
  expect(await messaging.running.tablesWith(email)).toEqual(['customer']);
});

test('an invitation has fixed words: what strangers call themselves is quoted, short, and no link', async () => {
  const [id, storeId, email] = [randomUUID(), randomUUID(), `${randomUUID()}@example.com`];
  const name = 'PayPal Security: your account is locked, see https://evil.example.com/login now';
  messaging.invitations.set(id, {
    email,
    name: 'Visit evil.example.com',
    role: 'staff',
    invited_by: 'Bo\u202e evil.example',
    language: 'en',
    expires_at: '2026-06-08T12:00:00Z',
    token: 'token',
    store_name: name,
  });
  const event = envelopeOf(
    staffInvited,
    { invitation_id: id, store_id: storeId, at: '2026-06-01T12:00:00Z' },
    { aggregateId: id, sequence: 1, storeId },
  );
  await messaging.publish(event);
  await messaging.messagesOf(event);
  const [mail] = mailsTo(email);
  expect(mail?.title).toBe('You are invited to work at a shop');
  expect(mail?.text).toMatch(/^A shop that calls itself “PayPal Security: your account is locked…” invites you/);
  expect(mail?.text).toContain('The invitation is from “Bo evil example”.');
  expect(`${mail?.text}${mail?.html}`).not.toMatch(/evil\.example|\u202e/);
  expect(mail?.text).toContain(stop);
  expect(mail?.text).not.toContain(keep);
});
