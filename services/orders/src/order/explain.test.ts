import { randomUUID } from 'node:crypto';
import { startTelemetry } from '@corner/chassis';
import { explain as explainRpc } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basketOf, customer, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, untilProcessed } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { explain } from './sagas.ts';

let running: Running;
let store: OpenStore;
const telemetry = startTelemetry({ service: 'orders' });
beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await telemetry.stop();
});

const explained = (...ids: readonly string[]) => explain(ids, running.service.context);
const sentencesOf = async (...ids: readonly string[]) => (await explained(...ids)).facts.map(({ sentence }) => sentence);
const onRecord = async (...ids: string[]) => (await running.call(explainRpc('orders'), { ids })).output?.facts ?? [];

test('an order’s story is the same by its id, number, code, key, payment, refund and dispute, in order of time and without names of people', async () => {
  const ada = customer(running);
  const basket = basketOf(store, { order_type: 'collect' });
  const { body: placed } = await ada.call('POST', '/api/v1/orders', basket);
  await ada.payAndConfirm(store, placed);
  const staff = worker(running, store);
  const { order } = (await staff.get(placed.order_id)).body;
  const { body: refunded } = await staff.refund(order.id, { refund_attempt_id: randomUUID(), amount_pence: 150 });
  const dispute = running.payments.controls.openDispute(placed.payment_intent_id, { reason: 'fraudulent' });
  await publish(running, eventOf('charge.dispute.created', dispute.id));
  await untilProcessed(running);

  const { facts, also } = await explained(order.id);
  expect(new Set(facts.map(({ store_id, customer_id }) => `${store_id} ${customer_id}`))).toEqual(new Set([`${store.id} ${ada.sub}`]));
  const sentences = facts.map(({ sentence }) => sentence).join('\n');
  expect(also).toEqual([order.id]);
  expect(sentences).toMatch(/^Order S1-\d+ was placed by customer [-0-9a-f]{36} for 6\.40 GBP, to be paid by pi_\w+; it is now paid/m);
  expect(sentences).toMatch(/The provider moved 6\.40 GBP from the customer/);
  expect(sentences).toMatch(/A refund of 1\.50 GBP was requested by [-0-9a-f]{36} \(refund [-0-9a-f]{36}, re_\w+\); it is now/);
  expect(sentences).toMatch(
    /The bank of the customer disputed 4\.90 GBP \(du_\w+, fraudulent\); the dispute is now opened and awaits evidence/,
  );
  expect(sentences).toContain('by a member of staff');
  expect(sentences).not.toContain(order.collection_code);
  expect(facts.map(({ at }) => at)).toEqual(facts.map(({ at }) => at).toSorted());
  const refundId = /\(refund ([-0-9a-f]{36})/.exec(sentences)?.[1] ?? '';
  const names = [order.order_number, order.collection_code, basket.idempotency_key, placed.payment_intent_id, refunded.refund.id, refundId];
  for (const name of [...names, dispute.id]) expect({ name, ...(await explained(name)) }).toEqual({ name, facts, also });

  const [charge] = running.payments.books().charges.filter(({ payment_intent }) => payment_intent === placed.payment_intent_id);
  expect(await explained(charge?.id ?? '')).toMatchObject({
    facts: [{ sentence: `The provider says that the charge ${charge?.id} is of the payment ${placed.payment_intent_id}.` }],
    also: [placed.payment_intent_id],
  });
});

test('of a customer and of a store the newest orders are found, each with the id under which its story is', async () => {
  const own = await running.openStore({ code: 'S7' });
  const ada = customer(running);
  const [first, second] = [await ada.paid(own), await ada.paid(own)];
  const { facts, also } = await explained(ada.sub);
  expect(facts.map(({ of }) => of)).toEqual([first.order_id, second.order_id]);
  expect(also).toEqual([]);
  const ofStore = await explained(own.id);
  expect(ofStore.facts.map(({ of }) => of)).toEqual([first.order_id, second.order_id, own.id]);
  for (const name of ['s7', own.account]) {
    expect(await explained(name)).toEqual({ facts: [], also: [own.id] });
  }
  expect(ofStore.facts.at(-1)?.sentence).toContain(`Store S7 (${own.id}) is now live, and is paid to ${own.account}`);
});

test('an event of the provider is found with what it is about', async () => {
  const { intent } = await paidOrder(running, store);
  const event = eventOf('payment_intent.succeeded', intent);
  await publish(running, event);
  await untilProcessed(running);
  const { facts, also } = await explained(event.id);
  expect(facts.map(({ sentence }) => sentence)).toEqual([
    `The provider’s event ${event.id} (payment_intent.succeeded) about ${intent} was received.`,
    `The provider’s event ${event.id} (payment_intent.succeeded) was processed after one attempt.`,
  ]);
  expect(also).toEqual([intent]);
});

test('what a trace, a request and an Idempotency-Key left on record is found by each of them', async () => {
  const { order_id } = await customer(running).paid(store);
  const [published] = await onRecord(order_id).then((facts) => facts.filter(({ trace_id }) => trace_id));
  for (const id of [published?.trace_id ?? '', published?.request_id ?? ''])
    expect((await onRecord(id)).map(({ sentence }) => sentence)).toContain(published?.sentence);
  const staff = worker(running, store);
  const key = randomUUID();
  const { body } = await staff.refund(order_id, { amount_pence: 1_000 }, { 'Idempotency-Key': key });
  const refusalOf = async (id: string) => (await onRecord(id)).find(({ sentence }) => sentence.includes(body.error.code));
  await until(async () => (await refusalOf(body.error.requestId)) !== undefined, { describe: 'the refusal to be on record' });
  const refusal = await refusalOf(body.error.requestId);
  for (const id of [refusal?.trace_id ?? '', order_id, store.id]) expect(await refusalOf(id)).toEqual(refusal);
});

test('a charge that the provider cannot be asked about is a fact', async () => {
  running.payments.controls.failNext({ how: 'error_before', path: '/v1/charges' });
  expect(await sentencesOf('ch_3unknown')).toEqual([
    'The provider did not say which payment the charge ch_3unknown is of; ask again later.',
  ]);
  running.payments.controls.clearFaults();
  expect(await sentencesOf('ch_3unknown')).toEqual([]);
});

test('an unknown id has no story', async () => {
  expect(await explained(randomUUID(), '1042', "'; drop", 'ch_', 'acct_none')).toEqual({ facts: [], also: [] });
});
