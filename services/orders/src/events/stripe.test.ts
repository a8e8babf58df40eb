import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customer, pay, worker } from '../testing/callers.ts';
import { eventOf, publish, sendEventsAbout, sign, storedEventsOf, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf, logOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning, webhookSecrets } from '../testing/running.ts';

const Count = z.object({ count: z.number() });

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function paidAtProvider(card?: string) {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await pay(running, order.payment_intent_id, card);
  return { ada, id: order.order_id as string, intent: order.payment_intent_id as string };
}

const statusOf = async (orderId: string) => (await worker(running, store).get(orderId)).body.order.status;
const paidTimes = async (orderId: string) => (await eventsOf(running, orderId)).filter(({ type }) => type === 'order.paid').length;
const expectPaidOnce = async (orderId: string, log = ['placed', 'paid']) => {
  expect(await statusOf(orderId)).toBe('paid');
  expect(await ledgerOf(running, orderId)).toEqual([{ kind: 'charge', amount_pence: 640 }]);
  expect(await paidTimes(orderId)).toBe(1);
  expect(await logOf(running, orderId)).toEqual(log);
};

async function expectRefused(event: ReturnType<typeof eventOf>, sending: Parameters<typeof publish>[2]) {
  expect(await publish(running, event, sending)).toEqual([400, 'WEBHOOK_SIGNATURE_INVALID']);
  expect(await storedEventsOf(running, event.id)).toEqual([]);
}

describe('the signature of a provider event', () => {
  const someEvent = () => eventOf('payment_intent.succeeded', 'pi_nobody');

  test.each([
    ['none', null],
    ['an empty one', ''],
    ['one that is no signature', 't=now,v1=0'],
    ['one whose parts have no values', 't=1,v1=,v1'],
    ['one without a scheme that is known', `t=1,v0=${'0'.repeat(64)}`],
  ])('is refused when it is %s', async (_, signature) => {
    await expectRefused(someEvent(), { signature });
  });

  test('is refused when made with another secret', async () => {
    await expectRefused(someEvent(), { secret: 'whsec_other' });
  });

  test('is refused when made for another body', async () => {
    const event = someEvent();
    await expectRefused(event, { signature: sign(JSON.stringify(someEvent()), webhookSecrets[0], running.clock.now()) });
  });

  test.each([
    ['spaced otherwise', (event: object) => JSON.stringify(event, null, 2)],
    ['with a line end behind it', (event: object) => `${JSON.stringify(event)}\n`],
    ['with a character escaped', (event: object) => JSON.stringify(event).replace('evt_', '\\u0065vt_')],
  ])('is refused for the same JSON in other bytes: %s', async (_, remake) => {
    const event = someEvent();
    await expectRefused(event, { sent: remake(event) });
  });

  test('is accepted for a body with any whitespace that was signed', async () => {
    const event = someEvent();
    const spaced = JSON.stringify(event, null, 2);
    const signature = sign(spaced, webhookSecrets[0], running.clock.now());
    expect(await publish(running, event, { sent: spaced, signature })).toEqual([200, undefined]);
    expect(await storedEventsOf(running, event.id)).toHaveLength(1);
  });

  test('may be five minutes old and no more', async () => {
    expect(await publish(running, someEvent(), { oldSeconds: 300 })).toEqual([200, undefined]);
    await expectRefused(someEvent(), { oldSeconds: 301 });
  });

  test('may be five minutes ahead of our clock and no more', async () => {
    expect(await publish(running, someEvent(), { oldSeconds: -300 })).toEqual([200, undefined]);
    await expectRefused(someEvent(), { oldSeconds: -301 });
    await expectRefused(someEvent(), { oldSeconds: -3600 });
  });

  test.each(webhookSecrets.map((secret, n) => [n + 1, secret] as const))(
    'either secret is good while one is replaced: %i',
    async (_, secret) => {
      expect(await publish(running, someEvent(), { secret })).toEqual([200, undefined]);
    },
  );

  test('is accepted when one of two signatures is made with a known secret', async () => {
    const event = someEvent();
    const at = running.clock.now();
    const [, known] = sign(JSON.stringify(event), webhookSecrets[1], at).split(',');
    const signature = `${sign(JSON.stringify(event), 'whsec_retired', at)},${known}`;
    expect(await publish(running, event, { signature })).toEqual([200, undefined]);
  });
});

describe('an order is paid once', () => {
  test('by the webhook alone, when the customer never confirms', async () => {
    const { id, intent } = await paidAtProvider();
    expect(await statusOf(id)).toBe('pending_payment');
    await sendEventsAbout(running, intent, 'payment_intent.succeeded');
    await expectPaidOnce(id);
  });

  test('by a webhook before the confirm', async () => {
    const { ada, id, intent } = await paidAtProvider();
    await sendEventsAbout(running, intent, 'payment_intent.succeeded');
    expect((await ada.confirm(store, intent)).body).toMatchObject({ order_id: id, status: 'paid' });
    await expectPaidOnce(id);
  });

  test('by a webhook after the confirm', async () => {
    const { ada, id, intent } = await paidAtProvider();
    expect((await ada.confirm(store, intent)).status).toBe(200);
    await sendEventsAbout(running, intent, 'payment_intent.succeeded');
    await expectPaidOnce(id);
  });

  test('by several concurrent confirms and events', async () => {
    const { ada, id, intent } = await paidAtProvider();
    const events = Array.from({ length: 4 }, () => publish(running, eventOf('payment_intent.succeeded', intent)));
    const confirms = Array.from({ length: 4 }, () => ada.confirm(store, intent));
    expect((await Promise.all(events)).map(([status]) => status)).toEqual([200, 200, 200, 200]);
    expect((await Promise.all(confirms)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await untilProcessed(running);
    await expectPaidOnce(id);
  });

  test('by many copies of one event, which is stored and processed once', async () => {
    const { id, intent } = await paidAtProvider();
    const event = eventOf('payment_intent.succeeded', intent);
    const responses = await Promise.all(Array.from({ length: 5 }, () => publish(running, event)));
    expect(responses.map(([status]) => status)).toEqual([200, 200, 200, 200, 200]);
    await untilProcessed(running);
    const [kept] = await storedEventsOf(running, event.id);
    const looks = () => running.statements.filter((statement) => statement.includes('o.payment_intent_id =')).length;
    const before = looks();
    expect(await publish(running, event)).toEqual([200, undefined]);
    await publish(running, eventOf('invoice.paid', 'in_later'));
    await untilProcessed(running);
    expect([await storedEventsOf(running, event.id), looks()]).toEqual([[kept], before]);
    await expectPaidOnce(id);
  });

  test('by events the provider delivers three times each, the latest first', async () => {
    running.connectWebhook();
    running.payments.controls.delivery({ hold: true, duplicates: 2 });
    const { id, intent } = await paidAtProvider('pm_card_processing');
    running.payments.controls.settleIntent(intent, 'succeeded');
    running.payments.controls.delivery({ hold: false });
    expect(await running.payments.controls.flush('reversed')).toBeGreaterThan(1);
    running.payments.controls.delivery({ duplicates: 0 });
    running.payments.controls.webhook(null);
    await untilProcessed(running);
    await expectPaidOnce(id);
  });
});

describe('the provider’s present state counts, whatever the order of its events', () => {
  test('when succeeded arrives before processing', async () => {
    const { id, intent } = await paidAtProvider('pm_card_processing');
    running.payments.controls.settleIntent(intent, 'succeeded');
    await sendEventsAbout(running, intent, 'payment_intent.succeeded');
    await sendEventsAbout(running, intent, 'payment_intent.processing');
    await expectPaidOnce(id);
  });

  test('when failed arrives after succeeded', async () => {
    const { id, intent } = await paidAtProvider('pm_card_chargeDeclined');
    await pay(running, intent);
    await sendEventsAbout(running, intent, 'payment_intent.succeeded');
    await sendEventsAbout(running, intent, 'payment_intent.payment_failed');
    await expectPaidOnce(id);
  });

  test('when an event says succeeded but the intent has not', async () => {
    const { body: order } = await customer(running).create(store);
    await publish(running, eventOf('payment_intent.succeeded', order.payment_intent_id));
    await untilProcessed(running);
    expect(await statusOf(order.order_id)).toBe('pending_payment');
    expect(await ledgerOf(running, order.order_id)).toEqual([]);
  });

  test('when an event that is truly signed names another amount, account or order than the intent has', async () => {
    const { body: other } = await customer(running).create(store);
    const { id, intent } = await paidAtProvider('pm_card_processing');
    const lie = {
      account: 'acct_of_another',
      created: 1,
      data: { object: { id: intent, status: 'succeeded', amount: 1, amount_received: 1, metadata: { order_id: other.order_id } } },
    };
    await publish(running, { ...eventOf('payment_intent.succeeded', intent), ...lie });
    await untilProcessed(running);
    expect(await statusOf(id)).not.toBe('paid');
    running.payments.controls.settleIntent(intent, 'succeeded');
    await publish(running, { ...eventOf('payment_intent.canceled', intent), ...lie });
    await untilProcessed(running);
    await expectPaidOnce(id);
    expect(await statusOf(other.order_id)).toBe('pending_payment');
    expect(await ledgerOf(running, other.order_id)).toEqual([]);
  });

  test('when a card is declined, and the order can still be paid', async () => {
    const { ada, id, intent } = await paidAtProvider('pm_card_chargeDeclined');
    await sendEventsAbout(running, intent, 'payment_intent.payment_failed');
    expect(await statusOf(id)).toBe('payment_failed');
    await pay(running, intent);
    expect((await ada.confirm(store, intent)).body.status).toBe('paid');
    await expectPaidOnce(id, ['placed', 'declined', 'paid']);
  });

  test('when the provider is down, and the event is processed later', async () => {
    const { id, intent } = await paidAtProvider();
    running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: intent, times: 12 });
    const event = eventOf('payment_intent.succeeded', intent);
    expect(await publish(running, event)).toEqual([200, undefined]);
    await untilProcessed(running);
    running.payments.controls.clearFaults();
    expect((await storedEventsOf(running, event.id))[0]?.attempts).toBeGreaterThan(1);
    await expectPaidOnce(id);
  });
});

describe('an event that concerns no order here is acknowledged and ignored', () => {
  async function foreignIntent(metadata: Record<string, string> = {}): Promise<string> {
    const { url } = running.payments;
    const response = await fetch(`${url}/v1/payment_intents`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_test_corner' },
      body: new URLSearchParams({ amount: '640', currency: 'gbp', ...metadata }),
    });
    const { id } = (await response.json()) as { id: string };
    expect((await pay(running, id)).status).toBe('succeeded');
    return id;
  }

  const expectLeftAlone = async (type: string, objectId: string) => {
    const event = eventOf(type, objectId);
    expect(await publish(running, event)).toEqual([200, undefined]);
    await untilProcessed(running);
    expect(await storedEventsOf(running, event.id)).toEqual([{ id: event.id, processed: true, attempts: 1 }]);
  };

  test.each([
    'payment_intent.succeeded',
    'refund.created',
    'charge.refunded',
    'charge.dispute.created',
    'account.updated',
    'payout.paid',
    'invoice.paid',
  ])('for an object unknown to the provider: %s', async (type) => {
    await expectLeftAlone(type, 'xx_unknown');
  });

  test('for an intent without order metadata', async () => {
    await expectLeftAlone('payment_intent.succeeded', await foreignIntent());
  });

  test.each(['cart-7', '00000000-0000-4000-8000-000000000000'])('for an intent of an unknown order: %s', async (orderId) => {
    await expectLeftAlone('payment_intent.succeeded', await foreignIntent({ 'metadata[order_id]': orderId }));
  });

  test('for a refund and a dispute of an unknown intent', async () => {
    const intent = await foreignIntent({ 'metadata[order_id]': 'cart-8' });
    const { id, charge } = running.payments.controls.dashboardRefund(intent, 100);
    await expectLeftAlone('refund.created', id);
    await expectLeftAlone('charge.refunded', charge ?? '');
    await expectLeftAlone('charge.dispute.created', running.payments.controls.openDispute(intent).id);
  });

  test('for an intent that names an order but is not its own', async () => {
    const { body: order } = await customer(running).create(store);
    const intent = await foreignIntent({ 'metadata[order_id]': order.order_id });
    await expectLeftAlone('payment_intent.succeeded', intent);
    expect(await statusOf(order.order_id)).toBe('pending_payment');
    expect(await ledgerOf(running, order.order_id)).toEqual([]);
  });
});

describe('a signed body of an unknown shape', () => {
  const event = (changes: object) => ({ ...eventOf('payment_intent.succeeded', 'pi_any'), ...changes });
  const sendSigned = (body: unknown) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return publish(running, eventOf('invoice.paid', 'in_1'), { sent, signature: sign(sent, webhookSecrets[0], running.clock.now()) });
  };
  const kept = () => running.service.database.oneFirst(sql.type(Count)`select count(*)::int as count from provider_event`);

  test.each<[string, unknown, string]>([
    ['is no JSON', '{"id": "evt_1"', 'INVALID_JSON'],
    ['is HTML', '<html></html>', 'INVALID_JSON'],
    ['is a list', [event({})], 'VALIDATION_FAILED'],
    ['is null', 'null', 'VALIDATION_FAILED'],
    ['is a number', '7', 'VALIDATION_FAILED'],
    ['is an object of no kind', {}, 'VALIDATION_FAILED'],
    ['has no id', event({ id: undefined }), 'VALIDATION_FAILED'],
    ['has a number as its id', event({ id: 7 }), 'VALIDATION_FAILED'],
    ['has an empty id', event({ id: '' }), 'VALIDATION_FAILED'],
    ['has a NUL in its id', event({ id: 'evt_\0' }), 'VALIDATION_FAILED'],
    ['has an id of 10,000 characters', event({ id: 'e'.repeat(10_000) }), 'VALIDATION_FAILED'],
    ['has no type', event({ type: undefined }), 'VALIDATION_FAILED'],
    ['has no data', event({ data: undefined }), 'VALIDATION_FAILED'],
    ['has data without an object', event({ data: {} }), 'VALIDATION_FAILED'],
    ['has null as its object', event({ data: { object: null } }), 'VALIDATION_FAILED'],
    ['has a NUL in the object’s id', event({ data: { object: { id: 'pi_\0' } } }), 'VALIDATION_FAILED'],
    ['has half a surrogate pair in the object’s id', event({ data: { object: { id: 'pi_\ud800' } } }), 'VALIDATION_FAILED'],
    ['names a list of objects', event({ data: { object: [{ id: 'pi_1' }] } }), 'VALIDATION_FAILED'],
  ])('is refused when it %s', async (_, body, code) => {
    const before = await kept();
    expect([await sendSigned(body), await kept()]).toEqual([[400, code], before]);
  });

  test.each<[string, unknown]>([
    ['a thin event', { id: 'evt_v2', object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered', related_object: null }],
    ['an event of a type without effect that names no object', event({ type: 'balance.available', data: { object: {} } })],
    ['an event of an unknown type in another shape', event({ type: 'invoice.paid', data: undefined })],
  ])('is acknowledged and ignored when it is %s', async (_, body) => {
    const before = await kept();
    expect([await sendSigned(body), await kept()]).toEqual([[200, undefined], before]);
  });
});
