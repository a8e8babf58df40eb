// covers: readOrderStory, readMyOrderStory

import { randomUUID } from 'node:crypto';
import { readOrderMessages, readOrderStamps, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import type { OrderMessages, OrderStamps } from './rules/facts.ts';

let running: Running;
let store: OpenStore;
/** The other services' replies; null while a service is away. */
let loyalty: OrderStamps;
let messages: OrderMessages;
const asked: { readonly customer_id: string; readonly refund_ids?: readonly string[] }[] = [];
const nothingGiven: OrderStamps = { award: null, stamps: [], lost: false, voucher: null };

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
  const { broker } = await running.service.backbone;
  for (const [rpc, reply] of [
    [readOrderStamps, () => loyalty],
    [readOrderMessages, () => ({ messages })],
  ] as const)
    broker.connection.subscribe(broker.subject(rpcSubject(rpc)), {
      callback: (_error, message) => {
        asked.push(message.json());
        message.respond(JSON.stringify({ output: reply() }));
      },
    });
  await broker.connection.flush();
});
beforeEach(() => {
  [loyalty, messages] = [nothingGiven, []];
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

type Customer = ReturnType<typeof customer>;
type Worker = ReturnType<typeof worker>;
const own = (who: Customer, orderId: string, language = '') => who.call('GET', `/api/v1/orders/${orderId}/mine/story${language}`);
const ofStore = (who: Worker, orderId: string, of = store) => who.call('GET', `/api/v1/orders/${orderId}/story?store_id=${of.id}`);
const award = { awarded: true, stamps_added: 1, stamp_count: 4, goal: 10, voucher_minted: false, reward_title: 'A coffee' };
const awarded = { ...award, reward_unlock_message: null };

test('an order from a declined card to its full refund is one story, in order of time, for its customer and its store', async () => {
  const [ana, cy] = [customer(running), worker(running, store)];
  const { body: placed } = await ana.create(store, { order_type: 'collect', tip_pence: 50 });
  const id = placed.order_id;
  await ana.payAndConfirm(store, placed, 'pm_card_chargeDeclined');
  running.clock.advance({ minutes: 1 });
  await ana.payAndConfirm(store, placed);
  const paidAt = running.clock.now().toISOString();
  running.clock.advance({ minutes: 1 });
  await cy.advance(id, 'preparing');
  running.clock.advance({ minutes: 1 });
  await cy.call('POST', `/api/v1/orders/${id}/notify-delay`, { store_id: store.id, delayMinutes: 10 });
  running.clock.advance({ minutes: 1 });
  await cy.refund(id, { amount_pence: 100, refund_attempt_id: randomUUID() });
  running.clock.advance({ minutes: 1 });
  await cy.refund(id, { refund_attempt_id: randomUUID() });
  const takenAt = running.clock.now().toISOString();
  loyalty = { ...nothingGiven, award: awarded, stamps: [{ given_at: paidAt, taken_back_at: takenAt }] };
  messages = [{ at: paidAt, about: 'receipt', channel: 'email', state: 'sent' }];

  const { body } = await own(ana, id);
  expect(body.entries.map(({ kind, text }: { kind: string; text: string }) => [kind, text])).toEqual([
    ['placed', 'The order was placed for £6.90.'],
    ['payment_declined', 'The bank declined a payment.'],
    ['paid', '£6.90 was paid.'],
    ['accepted', 'The shop accepted the order.'],
    ['stamps_earned', 'The order earned 1 stamp. The card had 4 of 10.'],
    ['receipt_sent', 'The receipt was sent by e-mail.'],
    ['preparing', 'The shop began to prepare the order.'],
    ['delayed', expect.stringMatching(/^The order was running late: expected at \d{1,2} \w+ at \d\d:\d\d\.$/)],
    ['partly_refunded', '£1.00 was refunded by the shop.'],
    ['refunded', '£5.90 was refunded by the shop. All that was paid is refunded.'],
    ['stamps_taken_back', '1 stamp was taken back: the order was refunded in full.'],
  ]);
  expect(body).toMatchObject({
    order_id: id,
    missing: [],
    stamps: { counting: 0, taken_back: 1, reason: 'refunded', text: 'No stamp: the order was refunded in full.' },
  });
  expect(asked.at(-1)?.customer_id).toBe(ana.sub);

  const { body: shown } = await ofStore(cy, id);
  expect(shown.entries.map(({ kind }: { kind: string }) => kind)).toEqual(body.entries.map(({ kind }: { kind: string }) => kind));
  expect(shown.entries[8]).toMatchObject({ by: 'store', by_name: 'Ada', note: 'It was cold.', amount_pence: 100 });
  expect(shown.entries[8].text).toBe('£1.00 was refunded by Ada.');

  const { body: french } = await own(ana, id, '?language=fr');
  expect(french.entries[1].text).toBe('La banque a refusé un paiement.');
  expect(french.stamps.text).toBe('Pas de tampon : la commande a été remboursée en totalité.');
});

test('the customer’s story names no staff and repeats no note of theirs', async () => {
  const [ana, cy] = [customer(running), worker(running, store)];
  const { order_id: id } = await ana.paid(store, { order_type: 'collect' });
  await cy.call('POST', `/api/v1/orders/${id}/notify-delay`, { store_id: store.id, delayMinutes: 10, note: 'planted: Bo is ill' });
  await cy.refund(id, { amount_pence: 100, reason: 'planted: Ada dropped it', refund_attempt_id: randomUUID() });
  await cy.advance(id, 'cancelled', { refund: true });
  const [{ body: mine }, { body: theirs }] = [await own(ana, id), await ofStore(cy, id)];
  expect(JSON.stringify(theirs)).toMatch(/planted: Bo is ill.*planted: Ada dropped it/);
  expect(JSON.stringify(theirs)).toContain('cancelled by Ada');
  expect(JSON.stringify(mine)).not.toMatch(/planted|Ada|by_name|note/);
  expect(mine.entries).toHaveLength(theirs.entries.length);
});

test('an order that its customer cancelled was cancelled by "you", and by "the customer" for the store', async () => {
  const [ana, cy] = [customer(running), worker(running, store)];
  const { order_id: id } = await ana.paid(store);
  await ana.call('POST', `/api/v1/orders/${id}/cancel`, { store_id: store.id });
  const texts = ({ body }: { body: { entries: { text: string }[] } }) => body.entries.map(({ text }) => text);
  expect(texts(await own(ana, id))).toContain('The order was cancelled by you.');
  expect(texts(await ofStore(cy, id))).toContain('The order was cancelled by the customer.');
});

test('a part of a mixed order has the story of the whole order, and its own entries have its number', async () => {
  const ana = customer(running);
  const { order_id: id } = await ana.paid(store, {
    items: [],
    fulfilment_groups: [
      { role: 'now', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
      { role: 'collect', items: [{ menu_item_id: 'croissant', quantity: 2 }] },
    ],
  });
  const [leg] = (await ana.call('GET', `/api/v1/orders/${id}/mine`)).body.order.children;
  const { body } = await own(ana, leg.order_id);
  expect(body).toEqual((await own(ana, id)).body);
  const accepted = body.entries.filter(({ kind }: { kind: string }) => kind === 'accepted');
  expect(accepted).toContainEqual(
    expect.objectContaining({ part: leg.order_number, text: `${leg.order_number}: The shop accepted the order.` }),
  );
});

describe('why there is no stamp:', () => {
  const reasonOf = async (who: Customer, id: string) => (await own(who, id)).body.stamps;

  test('the order is not paid yet, or never was, and loyalty is not asked', async () => {
    const ana = customer(running);
    const { body: placed } = await ana.create(store);
    const before = asked.length;
    expect(await reasonOf(ana, placed.order_id)).toMatchObject({ reason: 'not_paid_yet', text: 'No stamp yet: the order is not paid.' });
    await ana.call('POST', `/api/v1/orders/${placed.order_id}/cancel`, { store_id: store.id });
    expect(await reasonOf(ana, placed.order_id)).toMatchObject({ reason: 'never_paid', counting: 0 });
    expect(asked.slice(before).every((input) => 'refund_ids' in input)).toBe(true);
  });

  test('the award is on its way; it cost too little; the reason of an old award is unknown', async () => {
    const ana = customer(running);
    const { order_id: id } = await ana.paid(store);
    expect(await reasonOf(ana, id)).toMatchObject({ reason: 'on_its_way' });
    const none = { ...awarded, awarded: false, stamps_added: 0 };
    loyalty = { ...nothingGiven, award: { ...none, no_stamp: { reason: 'below_min_spend', min_spend_pence: 1000 } } };
    expect(await reasonOf(ana, id)).toMatchObject({
      reason: 'below_min_spend',
      text: 'No stamp: an order must cost at least £10.00 without its tip.',
    });
    const { body } = await own(ana, id);
    expect(body.entries.at(-1)).toMatchObject({ kind: 'no_stamp', reason: 'below_min_spend', amount_pence: 1000 });
    loyalty = { ...nothingGiven, award: none };
    expect(await reasonOf(ana, id)).toMatchObject({ reason: 'unknown' });
  });
});

describe('an order of others', () => {
  test('is not found by another customer, nor by the staff of another store', async () => {
    const [ana, eve] = [customer(running), customer(running)];
    const { order_id: id } = await ana.paid(store);
    const other = await running.openStore({ code: 'S9' });
    expect(codeOf(await own(eve, id))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await ofStore(worker(running, other), id, other))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await ofStore(worker(running, other), id))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(codeOf(await own(ana, randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
  });
});

test('a language that is not known is refused', async () => {
  const ana = customer(running);
  expect(codeOf(await own(ana, randomUUID(), '?language=tlh'))).toEqual([400, 'VALIDATION_FAILED']);
});
