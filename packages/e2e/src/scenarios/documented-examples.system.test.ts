import { randomUUID } from 'node:crypto';
import { operations } from '@corner/contracts';
import { demoDirectory, demoTokens, stores } from '@corner/sandbox/demo';
import { simulatePrinter } from '@corner/sandbox/printers';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { freshTap } from '../testing/loyalty-scenario.ts';
import { pay } from '../testing/order-scenario.ts';
import {
  compareWithExamples,
  firstEvents,
  listenToReplies,
  repliesWithoutExample,
  type SeenResponses,
  withoutExample,
} from '../testing/recorded-examples.ts';
import { callOnce } from '../testing/recording-client.ts';
import { onDatabase } from '../testing/settled.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let tokens: Awaited<ReturnType<typeof demoTokens>>;
let replies: Awaited<ReturnType<typeof listenToReplies>>;

beforeAll(async () => {
  environment = await startTestEnvironment();
  tokens = await demoTokens(environment.system.tokens);
  replies = await listenToReplies(environment.system);
});
afterAll(async () => {
  await replies[Symbol.asyncDispose]();
  await environment[Symbol.asyncDispose]();
});

type OperationName = (typeof operations)[number]['name'];
type Example = { readonly params?: Record<string, string>; readonly query?: Record<string, string>; readonly body?: object };

const responses: SeenResponses = {};

/**
 * Calls an operation with the example of its contract, as a caller of the demo who may. `other` replaces values by field name; `added` adds
 * fields to the body. Fails unless the status is 200.
 */
async function runExample(name: OperationName, other: Record<string, unknown> = {}, added: object = {}): Promise<Record<string, unknown>> {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const replaced = (fields: object = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, other[field] ?? value]));
  const example = operation.example as Example;
  const params = replaced(example.params);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '');
  const query = example.query ? `?${new URLSearchParams(replaced(example.query))}` : '';
  const { optional, types } = operation.caller;
  const body: { idempotency_key?: string } | undefined = example.body && { ...replaced(example.body), ...added };
  const response = await callOnce(environment.history, {
    operation: name === 'createOrder' ? 'create' : name,
    method: operation.method,
    url: `${environment.system.gatewayUrl}${path}${query}`,
    token: optional ? undefined : (types as readonly string[]).includes('customer') ? tokens.ana : tokens.bo,
    key: body?.idempotency_key,
    body,
  });
  expect({ name, status: response.status, body: response.body }).toMatchObject({ name, status: 200 });
  responses[name] ??= { success: response.body };
  return response.body;
}

test('the examples that need no earlier record succeed, a confirmation with a tap', async () => {
  for (const name of [
    'listStores',
    'readMenu',
    'listOpenSlots',
    'listOrders',
    'listMyOrders',
    'createOrder',
    'customerState',
    'multiStampStatus',
    'requestMultiStamp',
    'confirmMultiStamp',
    'cancelMultiStamp',
    'generateStampCode',
    'syncOfflineStamps',
    'listPendingStamps',
    'listGuestStamps',
    'grantStamp',
    'joinQueue',
    'queueStatus',
    'listQueueEntries',
    'answerMarketingOptIn',
    'readMarketingAsk',
    'listPreferences',
    'upsertPreferences',
    'listWalletPasses',
    'readWebPushKey',
    'linkDevice',
    'listDevices',
    'unlinkDevice',
  ] as const)
    await runExample(name, {}, name === 'confirmMultiStamp' ? freshTap() : {});
});

test('the examples about an order succeed with the id of a new order', async () => {
  const order = await runExample('createOrder');
  const { order_id: orderId, payment_intent_id } = order;
  await pay(environment.system, environment.history, String(payment_intent_id));
  await runExample('confirmOrder', { payment_intent_id });
  for (const name of ['getOrder', 'getMyOrder', 'orderLog', 'advanceFulfilment', 'notifyDelay', 'refundOrder'] as const)
    await runExample(name, { orderId });
  for (const name of ['readMyOrderStory', 'readOrderStory'] as const) {
    // A service that does not reply in time is named as missing.
    const isWhole = async () => {
      Reflect.deleteProperty(responses, name);
      return ((await runExample(name, { orderId })).missing as string[]).length === 0;
    };
    await until(isWhole, { describe: 'a story with the replies of all services' });
  }
});

test('the examples about the counter succeed with the id of an open sale', async () => {
  await runExample('openDrawer');
  await runExample('sellAtCounter');
  const { order } = (await runExample('sellAtCounter', {}, { tenders: undefined })) as { order: { id: string; total_pence: number } };
  const tenders = [
    { kind: 'cash', amount_pence: order.total_pence - 300 },
    { kind: 'external_card', amount_pence: 300, reference: '4711' },
  ];
  await runExample('payByTenders', { orderId: order.id, tenders });
  for (const name of ['listSales', 'payOutOfDrawer', 'listDrawers', 'closeDrawer'] as const) await runExample(name);
});

test('the example of a customer who cancels succeeds with the id of a new order', async () => {
  const { order_id: orderId } = await runExample('createOrder', { idempotency_key: randomUUID() });
  await runExample('cancelMyOrder', { orderId });
});

test('the examples about a scheduled order succeed with its id and slots', async () => {
  type Slot = { id: string; starts_at: string; capacity?: number };
  const { slots } = demoDirectory(new Date()) as { slots: { store_id: string; slots: Slot[] }[] };
  const notBefore = Date.now() + 3_600_000;
  const [earlier, later] = (slots.find(({ store_id }) => store_id === stores.coffee.id)?.slots ?? [])
    // An unlimited slot has no number of remaining orders, and the example shows one.
    .filter(({ starts_at, capacity = 0 }) => Date.parse(starts_at) > notBefore && capacity > 1)
    .map(({ id }) => id);
  const scheduled = { idempotency_key: randomUUID(), collection_mode: 'scheduled' };
  const { order_id, payment_intent_id } = await runExample('createOrder', scheduled, { slot_id: later });
  await pay(environment.system, environment.history, String(payment_intent_id));
  await runExample('confirmOrder', { payment_intent_id });
  for (const to_status of ['preparing', 'ready']) await runExample('advanceFulfilment', { orderId: order_id, to_status });
  await runExample('collectEarlier', { order_id, slot_id: earlier });
  await runExample('correctOrder', { orderId: order_id });
  await runExample('advanceFulfilment', { orderId: order_id, to_status: 'ready' });
  await runExample('setBusinessStatus', { orderId: order_id });
});

test('the examples about a printer succeed with its id and a new order', async () => {
  const { printer, url_path } = (await runExample('addPrinter')) as { printer: { id: string }; url_path: string };
  const { order_id: orderId, payment_intent_id } = await runExample('createOrder', { idempotency_key: randomUUID() });
  await pay(environment.system, environment.history, String(payment_intent_id));
  await runExample('confirmOrder', { payment_intent_id });
  await simulatePrinter({ url: environment.system.gatewayUrl + url_path }).poll();
  await runExample('listPrinters');
  await runExample('printTicket', { orderId });
  await runExample('removePrinter', { printer_id: printer.id });
});

test('the examples about a webhook succeed with its id', async () => {
  const { webhook } = (await runExample('createWebhook')) as { webhook: { id: string } };
  const webhook_id = { webhook_id: webhook.id };
  for (const name of ['listWebhooks', 'updateWebhook', 'rotateWebhookSecret', 'challengeWebhook', 'testWebhook'] as const)
    await runExample(name, webhook_id);
  const numbered = async () => {
    delete responses.listEvents;
    return (await runExample('listEvents', webhook_id)).last_number;
  };
  await until(numbered, { describe: 'the number of the test event' });
  for (const name of ['readEventsDigest', 'repeatWebhookEvent', 'endWebhook'] as const) await runExample(name, webhook_id);
});

test('the examples about a payment account succeed', async () => {
  const account = 'acct_cornercoffee';
  await fetch(`${environment.system.paymentsUrl}/_sim/pay-out`, { method: 'POST', body: JSON.stringify({ account }) });
  for (const name of ['linkAccount', 'readAccount'] as const) await runExample(name);
  const matched = async () => {
    delete responses.listPayouts;
    return ((await runExample('listPayouts')).payouts as { matched: object | null }[]).some((payout) => payout.matched);
  };
  await until(matched, { describe: 'the payout to be read' });
});

test('the examples about reports succeed with the day of the orders before', async () => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date());
  for (const name of ['readReport', 'listTips'] as const) await runExample(name, { from: today, to: today });
  for (const name of ['enterTipShares', 'readTipShares', 'readDayBook'] as const) await runExample(name, { date: today });
  await runExample('readBookKeys');
});

test('the examples about switches succeed, and the store takes orders of everything again', async () => {
  for (const name of ['switchMenuItem', 'pauseStore', 'readSwitches', 'listStoreLog'] as const) await runExample(name);
  await runExample('switchMenuItem', { sold_out: 'no' });
  await runExample('pauseStore', { paused: false });
});

test('the examples about the pace succeed at a store that has one', async () => {
  const setPace = (pace: object | null) =>
    onDatabase(environment, async (client) => {
      await client.query('update orders.store set pace = $2 where id = $1', [stores.coffee.id, pace && JSON.stringify(pace)]);
    });
  await setPace({ minutes: 15, max_items: 12 });
  const { quarters } = await runExample('readPace');
  await runExample('setPace', { starts_at: (quarters as { starts_at: string }[])[1]?.starts_at });
  await setPace(null);
});

test('the examples about stamps and vouchers succeed with the ids of new ones', async () => {
  expect((await runExample('syncOfflineStamps')).results).toMatchObject([{ success: true }]);
  const { full_message: code } = await runExample('generateStampCode');
  await runExample('redeemStampCode', { code });
  const { stamp_id } = await runExample('grantStamp', { idempotency_key: randomUUID() });
  await runExample('undoStamp', { stamp_id });
  for (const name of ['resolvePendingStamp', 'reviewStamp'] as const) {
    const { results } = await runExample('syncOfflineStamps', { stamps: [{ receipt_id: randomUUID(), store_code: 'S1' }] });
    await runExample(name, { stamp_id: (results as { stamp_id: string }[])[0]?.stamp_id });
  }
  for (let stamps = 0; stamps < 5; stamps += 1) await runExample('grantStamp', { idempotency_key: randomUUID() });
  const { active_vouchers } = await runExample('customerState');
  await runExample('redeemVoucher', { voucher_id: (active_vouchers as { id: string }[])[0]?.id });
  for (let stamps = 0; stamps < 6; stamps += 1) await runExample('grantStamp', { idempotency_key: randomUUID() });
  const [another] = (await runExample('customerState')).active_vouchers as { code: string }[];
  for (const name of ['lookUpVoucher', 'redeemVoucherByCode'] as const) await runExample(name, { code: another?.code });
  for (const name of ['findCustomers', 'listLoyaltyLog', 'listMyCards', 'readCardHistory'] as const) await runExample(name);
  const today = new Date().toISOString().slice(0, 10);
  await runExample('readStampEvidence', { from: today, to: today });
});

test('the examples about a queue entry succeed with the id of a new entry', async () => {
  const runWithNewEntry = async (...names: OperationName[]) => {
    const { entry_id } = await runExample('joinQueue');
    for (const name of names) await runExample(name, { entry_id });
  };
  await runWithNewEntry(
    'queueStatus',
    'readQueueChain',
    'confirmQueueEntry',
    'callQueueEntry',
    'recallQueueEntry',
    'assignQueueEntry',
    'completeQueueEntry',
  );
  await runWithNewEntry('assignQueueEntry', 'noShowQueueEntry', 'reopenQueueEntry');
  await runWithNewEntry('convertQueueEntry');
  await runWithNewEntry('leaveQueue');
});

test('the examples about campaigns succeed with the id of a new campaign', async () => {
  const { campaign } = (await runExample('makeCampaign')) as { campaign: { id: string } };
  for (const name of ['testCampaign', 'sendCampaign', 'listCampaigns'] as const) await runExample(name, { campaign_id: campaign.id });
  const other = (await runExample('makeCampaign')) as { campaign: { id: string } };
  await runExample('stopCampaign', { campaign_id: other.campaign.id });
});

test('the examples about what staff write succeed', async () => {
  for (const name of ['writeMessage', 'listMessagesOfStore'] as const) await runExample(name);
});

const tomorrowAt = (hour: number): string =>
  new Date((Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + hour * 3_600_000).toISOString();

test('the examples about bookings succeed with the ids of new bookings and a new class', async () => {
  type Booked = { booking: { appointment_id: string } };
  const runWithNewBooking = async (startsAt: string, ...names: OperationName[]) => {
    const phone = `+4477009${String(Math.floor(Date.parse(startsAt) / 3_600_000) % 100_000).padStart(5, '0')}`;
    const made = (await runExample('makeBooking', { starts_at: startsAt, guest_phone: phone })) as Booked;
    const { appointment_id } = made.booking;
    for (const name of names) await runExample(name, { appointment_id, starts_at: tomorrowAt(13) });
    return appointment_id;
  };
  await runExample('readTimes');
  const first = await runWithNewBooking(tomorrowAt(10), 'readBooking');
  await runExample('listStoreBookings', { day: tomorrowAt(10).slice(0, 10) });
  for (const name of ['moveBooking', 'cancelBooking'] as const)
    await runExample(name, { appointment_id: first, starts_at: tomorrowAt(13) });
  const change = (statement: string, id: string) => onDatabase(environment, async (client) => void (await client.query(statement, [id])));
  const timeComes = `update queue.session set starts_at = now() - interval '20 minutes', ends_at = now(), free_at = now()
    where id = (select session_id from queue.session_booking where appointment_id = $1)`;
  const comes = await runWithNewBooking(tomorrowAt(10));
  await change(timeComes, comes);
  for (const name of ['arriveBooking', 'completeBooking', 'reopenBooking'] as const) await runExample(name, { appointment_id: comes });
  const missed = await runWithNewBooking(tomorrowAt(11));
  await change(`update queue.session_booking set status = 'requested' where appointment_id = $1`, missed);
  await runExample('confirmBooking', { appointment_id: missed });
  await change(timeComes, missed);
  await runExample('noShowBooking', { appointment_id: missed });
  const waits = await runWithNewBooking(tomorrowAt(14));
  await change(
    `update queue.session_booking set status = 'waiting', line_number = 1, offer_until = now() + interval '10 minutes' where appointment_id = $1`,
    waits,
  );
  await runExample('acceptBooking', { appointment_id: waits });
  const { session } = (await runExample('makeSession', { starts_at: tomorrowAt(8) })) as { session: { session_id: string } };
  for (const name of ['changeSession', 'cancelSession'] as const) await runExample(name, session);
  type Weekly = { weekly_class: { weekly_class_id: string } };
  const { weekly_class_id } = ((await runExample('makeWeeklyClass')) as Weekly).weekly_class;
  for (const name of ['listWeeklyClasses', 'changeWeeklyClass', 'endWeeklyClass'] as const) await runExample(name, { weekly_class_id });
  await runExample('listMyBookings');
});

test('a deposit is paid with an order, its booking is booked then, and cancelling the booking refunds the order', async () => {
  const { id: store_id, code: store_code } = stores.cuts;
  const take = (item: string | null) =>
    onDatabase(environment, async (client) => {
      await client.query('update queue.store set booking_deposit_item_id = $2 where id = $1', [store_id, item]);
    });
  const asAna = async (path: string, body?: object): Promise<{ readonly booking: DepositedBooking }> => {
    const url = `${environment.system.gatewayUrl}/api/v1/queue/bookings${path}`;
    const call = { operation: 'deposit', method: body ? 'POST' : 'GET', url, token: tokens.ana, ...(body && { body }) } as const;
    return (await callOnce(environment.history, call)).body as never;
  };
  await take('clay');
  const { booking } = await asAna('', { store_id, service_id: demoService, starts_at: tomorrowAt(17) });
  await take(null);
  const { item_id, booking_ref } = booking.deposit;
  const items = [{ menu_item_id: item_id, quantity: 1 }];
  const other = { idempotency_key: randomUUID(), store_id, store_code };
  const order = await runExample('createOrder', other, { items, order_type: 'buy_now', collection_mode: undefined, booking_ref });
  await pay(environment.system, environment.history, String(order.payment_intent_id));
  await runExample('confirmOrder', { store_id, payment_intent_id: order.payment_intent_id });
  const path = `/${booking.appointment_id}`;
  const becomes = async (state: string) => (await asAna(`${path}?store_id=${store_id}`)).booking.deposit.state === state;
  await until(() => becomes('paid'), { describe: 'the deposit to be paid' });
  expect((await asAna(`${path}/cancel`, { store_id })).booking).toMatchObject({
    status: 'cancelled',
    deposit: { order_id: order.order_id },
  });
  await until(() => becomes('refunded'), { describe: 'the deposit to be refunded' });
});

interface DepositedBooking {
  readonly appointment_id: string;
  readonly deposit: { readonly item_id: string; readonly booking_ref: string; readonly state: string };
}
const demoService = '0190a000-0000-7000-8000-000000000701';

test('the examples of the counter succeed, and walk-ins are switched on again', async () => {
  for (const name of ['addQueueEntry', 'switchWalkIns'] as const) await runExample(name);
  await runExample('switchWalkIns', { open: true });
  await runExample('listQueueLog');
  await runExample('clearUnconfirmedEntries');
  for (const name of ['readStoreQueue', 'readWaits', 'readReadyTimes'] as const) await runExample(name);
});

test('every operation but the directory’s, which have a system of their own, has an example that succeeds, and the invariants hold afterwards', async () => {
  const here = operations.filter(({ service }) => service !== 'directory');
  expect(Object.keys(responses).sort()).toEqual(here.map(({ name }) => name).sort());
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
});

test('each event that was published has an example in asyncapi.json', async () => {
  expect(withoutExample(await firstEvents(environment.system))).toEqual([]);
});

test('the example of each success in openapi.json is what the operation returns', () => {
  expect(compareWithExamples(responses)).toEqual([]);
});

test('each reply to an RPC has an example, which answers for its service where that does not run', () => {
  expect(repliesWithoutExample(replies.seen)).toEqual([]);
});
