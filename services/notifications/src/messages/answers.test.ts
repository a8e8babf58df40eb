// covers: listMessagesOfStore
import { randomUUID } from 'node:crypto';
import { queueCalled } from '@corner/contracts';
import { erasedEvent, erasureBy, exportedBy } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'slonik';
import { z } from 'zod';
import { signTwilioRequest } from './crypto.ts';
import { dropOldMessages, readTexts } from './jobs.ts';
import { queueEvents } from './testing/events.ts';
import { type Guest, type Messaging, startMessaging } from './testing/messaging.ts';

const address = 'http://gateway.corner.example.com/webhooks/twilio';
const hold = '2027-06-01T13:00:00Z';
let messaging: Messaging;
let count = 0;
beforeAll(async () => {
  messaging = await startMessaging();
  messaging.sandbox.controls.receiveTexts({ url: `${messaging.running.service.url}/webhooks/twilio`, address });
});
afterAll(async () => await messaging[Symbol.asyncDispose]());
beforeEach(() => {
  messaging.sandbox.controls.clearFaults();
  messaging.clock.set('2026-06-01T12:00:00Z');
});

const newPhone = () => `+4477008${String(10_000 + ++count)}`;
const send = (from: string, text: string, more = {}) => messaging.sandbox.controls.text({ from, text, ...more });
const again = (sid: string) => messaging.sandbox.controls.text({ from: '', sid });

/** A guest of the queue is called by a text to their phone. */
async function call(phone: string, store?: Guest, customerId: string | null = null) {
  const [entryRef, at] = [randomUUID(), store ?? (await messaging.guest())];
  messaging.guestPhones.set(entryRef, phone);
  const called = queueEvents(at, customerId, entryRef)(queueCalled, 1, hold);
  await messaging.publish(called);
  const [message] = await messaging.messagesOf(called);
  return { ...at, entryRef, state: message?.state, reason: message?.reason };
}

async function answersAt({ storeId }: Pick<Guest, 'storeId'>, query = '') {
  const token = await messaging.running.issuer.token({ typ: 'staff', sub: randomUUID(), stores: [{ id: storeId, role: 'staff' }] });
  const address = `${messaging.running.service.url}/api/v1/notifications/stores/${storeId}/messages${query}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { answers: Record<string, unknown>[] }).answers;
}

const storedTexts = () =>
  messaging.running.service.database.anyFirst(sql.type(z.object({ text: z.string() }))`
    select text from text_answer union all select word from text_consent`);

test('an answer goes once to the store that wrote last, which gets an event without the text', async () => {
  const phone = newPhone();
  const [first, last] = [await call(phone), await call(phone)];
  const { sid, status } = await send(phone, 'On my way, two minutes');
  expect([status, (await again(sid)).status]).toEqual([200, 200]);
  expect(await answersAt(first)).toEqual([]);
  const at = '2026-06-01T12:00:00.000000Z';
  const [answer] = await answersAt(last);
  expect(answer).toEqual({ id: expect.any(String), customer_id: null, entry_ref: last.entryRef, text: 'On my way, two minutes', at });
  const published = await messaging.running.service.database.anyFirst(sql.type(z.object({ data: z.any() }))`
    select data from outbox where type = 'message.answered' and store_id = ${last.storeId}`);
  expect(published).toEqual([{ answer_id: answer?.id, store_id: last.storeId, customer_id: null, at: '2026-06-01T12:00:00.000Z' }]);
});

test('an answer of a customer is listed under the customer', async () => {
  const phone = newPhone();
  const guest = await messaging.guest({ devices: [], phone });
  const called = await call(phone, guest, guest.customerId);
  await send(phone, 'Thanks');
  expect(await answersAt(called, `?customer_id=${guest.customerId}`)).toMatchObject([{ customer_id: guest.customerId, text: 'Thanks' }]);
  expect(await answersAt(called, `?customer_id=${randomUUID()}`)).toEqual([]);
});

test('a text from a number to which no store has written in seven days is dropped', async () => {
  const phone = newPhone();
  const called = await call(phone);
  messaging.clock.advance({ days: 7, seconds: 1 });
  expect([(await send(phone, 'Too late')).status, (await send(newPhone(), 'A stranger')).status]).toEqual([200, 200]);
  expect(await answersAt(called)).toEqual([]);
  expect((await storedTexts()).filter((text) => /Too late|stranger/.test(text))).toEqual([]);
});

test.each(['STOP', ' stop. ', 'Arrêt', 'ARRET', 'unsubscribe', 'Stop All', 'désabonner'])(
  '“%s” alone stops the texts of every store to the number, and START allows them again',
  async (word) => {
    const phone = newPhone();
    expect(await call(phone)).toMatchObject({ state: 'sent' });
    await send(phone, word);
    expect(await call(phone)).toMatchObject({ state: 'muted', reason: 'stopped' });
    expect(await call(newPhone())).toMatchObject({ state: 'sent' });
    messaging.clock.advance({ minutes: 1 });
    await send(phone, 'Start');
    expect(await call(phone)).toMatchObject({ state: 'sent' });
  },
);

test('a customer who has stopped texts is called by e-mail, and a text that only holds the word goes to the store', async () => {
  const phone = newPhone();
  const guest = await messaging.guest({ devices: [], phone });
  const called = await call(phone, guest, guest.customerId);
  await send(phone, 'Please stop the clock');
  expect(await answersAt(called)).toMatchObject([{ text: 'Please stop the clock' }]);
  await send(phone, 'STOP');
  expect(await call(phone, guest, guest.customerId)).toMatchObject({ state: 'sent' });
  expect(messaging.received(guest).map(({ by }) => by)).toEqual(['smtp']);
  expect(await answersAt(called)).toHaveLength(1);
});

test('the word that was sent last counts, whichever arrives last', async () => {
  const [resumed, stopped] = [newPhone(), newPhone()];
  const [late, early] = [await send(resumed, 'STOP', { lost: true }), await send(stopped, 'START', { lost: true })];
  messaging.clock.advance({ minutes: 1 });
  await send(resumed, 'START');
  await send(stopped, 'STOP');
  messaging.clock.advance({ hours: 1 });
  for (const { sid } of [late, early, late]) expect((await again(sid)).status).toBe(200);
  expect(await call(resumed)).toMatchObject({ state: 'sent' });
  expect(await call(stopped)).toMatchObject({ state: 'muted' });
});

const readList = () => readTexts(messaging.running.service.context);

test('while Twilio does not say when it received a word, STOP counts at once, and START once it says', async () => {
  const phone = newPhone();
  messaging.sandbox.controls.fail({ at: 'twilio-list', how: 'unavailable', times: 2 });
  expect((await send(phone, 'STOP')).status).toBe(200);
  messaging.clock.advance({ minutes: 1 });
  expect((await send(phone, 'START')).status).toBe(200);
  expect(await call(phone)).toMatchObject({ state: 'muted' });
  messaging.sandbox.controls.fail({ at: 'twilio-list', how: 'unavailable' });
  await expect(readList()).rejects.toThrow('twilio 503 20503');
  await readList();
  expect(await call(phone)).toMatchObject({ state: 'sent' });
});

test('a text whose request was lost is taken from Twilio’s list, once, in a day, and only for a store that had written before', async () => {
  const [phone, stranger, stopped] = [newPhone(), newPhone(), newPhone()];
  const called = await call(phone);
  messaging.clock.advance({ minutes: 1 });
  await send(phone, 'Almost there', { lost: true });
  await send(stranger, 'Who are you?', { lost: true });
  await send(stopped, 'STOP', { lost: true });
  messaging.clock.advance({ minutes: 1 });
  const later = await call(stranger);
  for (const _ of [1, 2]) await readList();
  expect(await answersAt(called)).toMatchObject([{ text: 'Almost there', at: '2026-06-01T12:01:00.000000Z' }]);
  expect(await answersAt(later)).toEqual([]);
  expect(await call(stopped)).toMatchObject({ state: 'muted' });
  await send(phone, 'Too old', { lost: true });
  messaging.clock.advance({ hours: 24, seconds: 1 });
  await readList();
  expect(await answersAt(called)).toHaveLength(1);
});

test('YES is an answer: it neither stops nor allows texts', async () => {
  const phone = newPhone();
  const called = await call(phone);
  await send(phone, 'Yes');
  expect(await answersAt(called)).toMatchObject([{ text: 'Yes' }]);
  await send(phone, 'STOP');
  messaging.clock.advance({ minutes: 1 });
  await send(phone, 'YES');
  expect(await call(phone)).toMatchObject({ state: 'muted', reason: 'stopped' });
});

test('what an erased customer had answered does not come back from Twilio’s list, also when their number is a guest’s', async () => {
  const phone = newPhone();
  const guest = await messaging.guest({ devices: [], email: null, phone });
  const called = await call(phone, guest, guest.customerId);
  messaging.clock.advance({ minutes: 1 });
  await send(phone, 'A word of one who leaves');
  await messaging.publish(erasedEvent(guest.customerId));
  await send(phone, 'Another word', { lost: true });
  messaging.clock.advance({ minutes: 1 });
  const again = await call(phone);
  await readList();
  for (const at of [called, again]) expect(await answersAt(at)).toEqual([]);
});

async function post(form: URLSearchParams | string, signature?: string): Promise<number> {
  const signed = signature ?? signTwilioRequest(address, new URLSearchParams(form), 'corner-sandbox-twilio');
  const headers = { 'x-twilio-signature': signed, 'content-type': 'application/x-www-form-urlencoded' };
  return (await fetch(`${messaging.running.service.url}/webhooks/twilio`, { method: 'POST', headers, body: String(form) })).status;
}
const formOf = (from: string, Body: string, more = {}) => {
  const sid = randomUUID().replaceAll('-', '');
  return new URLSearchParams({ AccountSid: `AC${'0'.repeat(32)}`, MessageSid: `SM${sid}`, From: from, Body, ...more });
};

test('only Twilio is believed: a request without its signature for this address and these fields is refused', async () => {
  const phone = newPhone();
  const form = formOf(phone, 'STOP');
  const forged = ['', 'x', signTwilioRequest(`${address}/`, form, 'corner-sandbox-twilio'), signTwilioRequest(address, form, 'another')];
  for (const signature of forged) expect(await post(form, signature)).toBe(400);
  const signature = signTwilioRequest(address, form, 'corner-sandbox-twilio');
  expect(await post(new URLSearchParams([...form, ['More', '1']]), signature)).toBe(400);
  expect(await call(phone)).toMatchObject({ state: 'sent' });
  // Twilio's own example: https://www.twilio.com/docs/usage/security
  const fields = { CallSid: 'CA1234567890ABCDE', Caller: '+14158675310', Digits: '1234', From: '+14158675310', To: '+18005551212' };
  const example = 'https://example.com/myapp.php?foo=1&bar=2';
  expect(signTwilioRequest(example, new URLSearchParams(fields), '12345')).toBe('L/OH5YylLD5NRKLltdqwSvS0BnU=');
});

test('a signed body of any shape is answered, and of an answer 1,600 characters are kept, without a NUL', async () => {
  const phone = newPhone();
  const called = await call(phone);
  expect(await post(formOf(phone, `\0${'😀'.repeat(1_700)}`))).toBe(200);
  expect((await answersAt(called)).map(({ text }) => text)).toEqual(['😀'.repeat(1_600)]);
  const others = [formOf(phone, '  '), formOf(phone, 'x', { AccountSid: 'AC1' }), formOf(phone, 'x', { MessageSid: '1' }), formOf('', 'x')];
  for (const form of others) expect(await post(form)).toBe(200);
  const shapes = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.dictionary(fc.string(), fc.string()).map((fields) => new URLSearchParams(fields)),
  );
  await fc.assert(
    fc.asyncProperty(shapes, async (form) => expect(await post(form)).toBe(200)),
    { seed: 1, numRuns: 25 },
  );
  expect(await answersAt(called)).toHaveLength(1);
});

test('answers and words are exported and erased with the customer, and the number stays stopped', async () => {
  const phone = newPhone();
  const guest = await messaging.guest({ devices: [], email: null, phone });
  await call(phone, guest, guest.customerId);
  await send(phone, 'A secret answer');
  await send(phone, 'STOP');
  const exported = await exportedBy(messaging.running, 'notifications', guest.customerId);
  expect(exported['answers to texts']).toMatchObject([{ store_id: guest.storeId, text: 'A secret answer' }]);
  expect(exported['words that stopped or allowed texts']).toMatchObject([{ word: 'STOP', accepted: false }]);
  await messaging.publish(erasedEvent(guest.customerId));
  expect(await erasureBy(messaging.running, 'notifications', guest.customerId)).toMatchObject({ isDone: true });
  expect(await messaging.running.tablesWith('A secret answer')).toEqual([]);
  expect(await call(phone)).toMatchObject({ state: 'muted', reason: 'stopped' });
});

test('a guest’s number is forgotten after seven days, and an answer after thirty', async () => {
  const phone = newPhone();
  const called = await call(phone);
  await send(phone, 'See you');
  const numbers = sql.type(z.object({ n: z.number() }))`select count(*) as n from texted_number where entry_ref = ${called.entryRef}`;
  messaging.clock.advance({ days: 8 });
  await dropOldMessages(messaging.running.service.context);
  expect([await messaging.running.service.database.oneFirst(numbers), (await answersAt(called)).length]).toEqual([0, 1]);
  messaging.clock.advance({ days: 23 });
  await dropOldMessages(messaging.running.service.context);
  expect(await answersAt(called)).toEqual([]);
});

test('no number is stored, and no log line holds a number or a text', async () => {
  const lines = JSON.stringify(messaging.running.lines);
  for (const secret of ['77008', 'On my way', 'secret answer']) expect(lines).not.toContain(secret);
  expect(await messaging.running.tablesWith('+4477008')).toEqual(['customer']);
});
