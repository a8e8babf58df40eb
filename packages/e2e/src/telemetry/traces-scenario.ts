import { randomUUID } from 'node:crypto';
import { type AnyOperation, customerErased, dataSchemaOf, operations, orders, queue, subjectOf } from '@corner/contracts';
import { applyDirectory } from '@corner/operator';
import { demoDirectory, people, stores } from '@corner/sandbox/demo';
import type { RunningSystem } from '@corner/sandbox/system';
import type { History } from '@corner/simulation';
import { jetstream } from '@nats-io/jetstream';
import { connectedTo, type MarkedActors } from '../secrets/secrets-scenario.ts';
import { basket, newShopper, pay, type Shopper } from '../testing/order-scenario.ts';
import { type ApiResponse, callOnce } from '../testing/recording-client.ts';

const coffee = stores.coffee.id;
const cuts = stores.cuts.id;

type Call = (method: 'GET' | 'POST' | 'PATCH', path: string, token: string | null, body?: object) => Promise<ApiResponse>;

export async function runOtherOperations(system: RunningSystem, history: History, { barber }: MarkedActors): Promise<void> {
  const call: Call = async (method, path, token, body) => {
    const url = `${system.gatewayUrl}/api/v1${path}`;
    const response = await callOnce(history, {
      operation: path,
      method,
      url,
      key: randomUUID(),
      ...(body ? { body } : {}),
      ...(token ? { token } : {}),
    });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${response.text}`);
    return response;
  };
  await publishDirectoryAgain(system);
  await moveOrders(system, history, call, barber);
  for (const action of ['approve', 'reject']) await reviewStamp(call, barber, await newShopper(system), action);
  await runQueueScenario(call, barber);
  await publishErasure(system);
}

async function publishErasure(system: RunningSystem): Promise<void> {
  const id = randomUUID();
  const event = {
    specversion: '1.0',
    id: randomUUID(),
    source: '/directory',
    type: customerErased.type,
    dataschema: dataSchemaOf(customerErased),
    subject: id,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    sequence: 1,
    data: { customer_id: id, at: new Date().toISOString() },
  };
  await using nats = await connectedTo(system);
  await jetstream(nats.connection).publish(subjectOf('directory', customerErased, id), JSON.stringify(event));
}

async function publishDirectoryAgain(system: RunningSystem): Promise<void> {
  await using nats = await connectedTo(system);
  await applyDirectory(demoDirectory(new Date()), { connection: nats.connection });
}

async function moveOrders(system: RunningSystem, history: History, call: Call, barber: string): Promise<void> {
  const store = { store_id: coffee };
  const order = async ({ customer }: Shopper, more: object, card?: string): Promise<string> => {
    const { order_id, payment_intent_id } = (await call('POST', '/orders', customer, { ...basket(randomUUID()), ...more })).body;
    if (card === undefined) return String(order_id);
    await pay(system, history, String(payment_intent_id), card);
    await call('POST', '/orders/confirm', customer, { ...store, payment_intent_id });
    return String(order_id);
  };
  const refund = (orderId: string) => call('POST', `/orders/${orderId}/refund`, barber, { ...store, reason: 'It was cold.' });
  const grant = async ({ customerId }: Shopper, times: number) => {
    for (let i = 0; i < times; i += 1)
      await call('POST', '/loyalty/stamps', barber, { ...store, customer_id: customerId, idempotency_key: randomUUID() });
  };

  const slots = (demoDirectory(new Date()) as { slots: { slots: { id: string; starts_at: string }[] }[] }).slots[0]?.slots;
  const future = slots?.filter(({ starts_at }) => Date.parse(starts_at) > Date.now()) ?? [];
  const [earliest, latest] = [future[0], future.at(-1)];
  const scheduled = await newShopper(system);
  const moved = await order(scheduled, { collection_mode: 'scheduled', slot_id: latest?.id }, 'pm_card_visa');
  for (const to_status of ['preparing', 'ready']) await call('PATCH', `/orders/${moved}/fulfilment`, barber, { ...store, to_status });
  await call('POST', '/orders/collect-earlier', scheduled.customer, { ...store, order_id: moved, slot_id: earliest?.id });
  await call('PATCH', `/orders/${moved}/status`, barber, { ...store, status: 'cancelled', note: 'They left.' });

  const orderWithVoucher = async (card?: string): Promise<string> => {
    const shopper = await newShopper(system);
    await grant(shopper, 5);
    const state = (await call('GET', `/loyalty/customer-state?store_id=${coffee}&customer_id=${shopper.customerId}`, barber)).body;
    const [voucher] = state.active_vouchers as { id: string }[];
    return await order(shopper, { voucher_id: voucher?.id }, card);
  };
  await call('PATCH', `/orders/${await orderWithVoucher()}/status`, barber, { ...store, status: 'cancelled', note: 'They left.' });
  await refund(await orderWithVoucher('pm_card_visa'));

  const almostFull = await newShopper(system);
  await grant(almostFull, 4);
  await refund(await order(almostFull, {}, 'pm_card_visa'));

  const buyNow = await order(await newShopper(system), { order_type: 'buy_now' }, 'pm_card_visa');
  await call('PATCH', `/orders/${buyNow}/status`, barber, { ...store, status: 'fulfilled' });
  await call('GET', `/orders/${buyNow}/story?store_id=${coffee}`, barber);

  await refund(await order(await newShopper(system), {}, 'pm_card_refundFail'));
  await order(await newShopper(system), {}, 'pm_card_createDispute');
}

async function reviewStamp(call: Call, barber: string, shopper: Shopper, action: string): Promise<void> {
  const { code } = (await call('POST', '/loyalty/stamp-codes', shopper.customer, { store_id: cuts })).body;
  const redeemed = await call('POST', '/loyalty/stamp-codes/redeem', shopper.customer, { code, expected_store_id: cuts });
  const { stamps } = (await call('GET', `/loyalty/pending-stamps?store_id=${cuts}`, barber)).body as { stamps: { id: string }[] };
  if (!stamps[0]) throw new Error(`no stamp is pending: ${redeemed.text}`);
  await call('POST', '/loyalty/stamps/review', barber, { store_id: cuts, stamp_id: stamps[0].id, action });
}

async function runQueueScenario(call: Call, barber: string): Promise<void> {
  const join = async () => String((await call('POST', '/queue/join', null, { store_id: cuts, guest_name: 'Dee' })).body.entry_id);
  const move = (entryId: string, action: string) => call('POST', `/queue/entries/${entryId}/${action}`, barber, { store_id: cuts });
  const absent = await join();
  await move(absent, 'call');
  await move(absent, 'no-show');
  await move(await join(), 'convert');
  await call('POST', '/queue/leave', null, { entry_id: await join() });
}

export async function callEverything(system: RunningSystem): Promise<void> {
  const sub = randomUUID();
  const tokens = await Promise.all([
    system.tokens.token({ typ: 'customer', sub }),
    system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [coffee, cuts], name: people.bo.name }),
  ]);
  for (const operation of operations) for (const token of tokens) await callExample(system, operation, token);
  const undone = [
    [queue.switchWalkIns, { open: true }],
    [orders.switchMenuItem, { sold_out: 'no' }],
    [orders.pauseStore, { paused: false }],
  ] as const;
  for (const [contract, body] of undone) await callExample(system, { ...contract, example: { ...contract.example, body } }, tokens[1]);
  // The chairs are staffed today and tomorrow only, and the example is of two days of the week: a class every day is made on any day.
  const daily = { ...(queue.makeWeeklyClass.example.body as object), days: [1, 2, 3, 4, 5, 6, 7] };
  await callExample(system, { ...queue.makeWeeklyClass, example: { body: daily } }, tokens[1]);
}

async function callExample(system: RunningSystem, { method, path, example }: AnyOperation, token: string): Promise<void> {
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? name));
  const query = new URLSearchParams(Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${system.gatewayUrl}${filledPath}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(example.body ?? {}) }),
  });
  await response.arrayBuffer();
}
