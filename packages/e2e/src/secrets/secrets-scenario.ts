import { randomUUID } from 'node:crypto';
import { fieldsOf, tapOf } from '@corner/loyalty/testing';
import { connectNats } from '@corner/nats';
import { applyDirectory } from '@corner/operator';
import { demoDirectory, people, stores } from '@corner/sandbox/demo';
import { simulatePrinter } from '@corner/sandbox/printers';
import type { RunningSystem } from '@corner/sandbox/system';
import type { History } from '@corner/simulation';
import { basket, newShopper, pay, runOrderScenario, type Shopper } from '../testing/order-scenario.ts';
import { type ApiResponse, callOnce } from '../testing/recording-client.ts';
import type { Marks } from './marks.ts';

export interface MarkedActors {
  readonly shopper: Shopper;
  readonly friend: Shopper;
  readonly barber: string;
  readonly session: string;
  readonly card: string;
}

const coffee = stores.coffee.id;
const cuts = stores.cuts.id;
const uid = '04a1b2c3d4e5f6';
let taps = 0;
const nextTap = () => {
  taps += 1;
  return tapOf(uid, taps);
};

async function lostPhone(system: RunningSystem, marks: Marks, owner: string): Promise<string> {
  const device = marks.plantHex(`${owner}'s device`, 32);
  await fetch(`${system.messagesUrl}/_sim/drop-device`, { method: 'POST', body: JSON.stringify({ token: device }) });
  return device;
}

export async function createMarkedActors(system: RunningSystem, marks: Marks): Promise<MarkedActors> {
  const [shopper, friend] = [await newShopper(system), await newShopper(system)];
  const card = `card_${marks.plantHex('staff card', 16)}`;
  const [phone, friendsPhone] = [await lostPhone(system, marks, 'the customer'), await lostPhone(system, marks, 'the friend')];
  const person = (id: string, owner: string, device: string) => ({
    id,
    name: `Zed ${marks.plant(`${owner}'s name`)}`,
    email: `${marks.plant(`${owner}'s e-mail`)}@mail.example`,
    phone: marks.plantPhone(`${owner}'s phone`),
    identity_user_id: marks.plant(`${owner}'s identity`),
    push_devices: [{ id: device, platform: 'ios' }],
  });
  const staffId = randomUUID();
  const staffName = marks.plant("a staff member's name");
  const demo = demoDirectory(new Date()) as { programmes: { store_id: string }[]; staff: unknown[] };
  await using nats = await connectedTo(system);
  await applyDirectory(
    {
      stores: (demo as unknown as { stores: unknown[] }).stores,
      customers: [person(shopper.customerId, 'the customer', phone), person(friend.customerId, 'the friend', friendsPhone)],
      programmes: demo.programmes.map((of) => (of.store_id === coffee ? { ...of, tags: [{ uid, key_version: '1' }] } : of)),
      staff: [
        ...demo.staff,
        { id: staffId, name: staffName, stores: [{ id: coffee, role: 'staff' }], cards: [{ token_id: card, store_id: coffee }] },
      ],
    },
    { connection: nats.connection },
  );
  const session = await system.tokens.staffSessionToken({ sub: staffId, stores: [coffee], name: staffName });
  const barber = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [coffee, cuts], name: staffName });
  for (const [what, token] of Object.entries({ session, barber, ...tokensOf(shopper), ...tokensOf(friend) })) {
    marks.learn(`token: ${what}`, token);
    marks.learn(`signature of token: ${what}`, token.split('.')[2]);
  }
  return { shopper, friend, barber, session, card };
}

const tokensOf = ({ customerId, customer, merchant }: Shopper) => ({
  [`of ${customerId}`]: customer,
  [`of ${customerId}'s shop`]: merchant,
});

export async function connectedTo({ natsUrl }: RunningSystem) {
  const connection = await connectNats(natsUrl, 'e2e');
  return { connection, [Symbol.asyncDispose]: () => connection.close() };
}

const secretFields = [
  'client_secret',
  'ephemeral_key',
  'code',
  'full_message',
  'voucher_code',
  'redemption_code',
  'entry_id',
  'collection_code',
];

export async function runMarkedScenario(system: RunningSystem, history: History, marks: Marks, cast: MarkedActors): Promise<void> {
  const { shopper, friend, barber, session, card } = cast;
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, token: string | null, body?: unknown): Promise<ApiResponse> => {
    const url = `${system.gatewayUrl}/api/v1${path}`;
    const keyed = method === 'GET' ? {} : { key: randomUUID(), body };
    const response = await callOnce(history, { operation: path, method, url, ...keyed, ...(token ? { token } : {}) });
    for (const name of secretFields) marks.learn(`response ${name}`, response.body[name]);
    return response;
  };
  const succeeded = (response: ApiResponse): ApiResponse['body'] => {
    if (response.status === 200) return response.body;
    throw new Error(`the scenario received ${response.status}: ${response.text}`);
  };

  const { orderId } = await runOrderScenario({ system, history }, shopper);
  for (const { response } of history.calls.filter(({ operation }) => operation === 'create'))
    for (const name of secretFields) marks.learn(`response ${name}`, (response as Record<string, unknown>)[name]);
  succeeded(await call('GET', `/orders/${orderId}?store_id=${coffee}`, barber));
  succeeded(await call('GET', `/orders/${orderId}/log?store_id=${coffee}`, barber));
  succeeded(await call('GET', `/orders?store_id=${coffee}`, barber));

  const printer = succeeded(await call('POST', `/orders/stores/${coffee}/printers`, barber, { name: 'Kitchen' }));
  const address = system.gatewayUrl + String(printer.url_path);
  marks.learn('the address of a printer', address.split('/').at(-1));
  await simulatePrinter({ url: address }).poll();
  for (const wrong of [`${address}x`, `${address}/settings`, `${address}?token=a`]) await fetch(wrong);

  const second = succeeded(await call('POST', '/orders', friend.customer, basket(friend.key)));
  await pay(system, history, String(second.payment_intent_id));
  const confirmation = { store_id: coffee, payment_intent_id: second.payment_intent_id };
  marks.learn('response collection_code', succeeded(await call('POST', '/orders/confirm', friend.customer, confirmation)).collection_code);
  const note = marks.plant('a note about a delay');
  succeeded(await call('POST', `/orders/${second.order_id}/notify-delay`, barber, { store_id: coffee, delayMinutes: 10, note }));
  const reason = marks.plant('the reason of a refund');
  succeeded(await call('POST', `/orders/${second.order_id}/refund`, barber, { store_id: coffee, reason, amount_pence: 100 }));

  for (const customer of [friend.customerId, null]) {
    const sale = { store_id: coffee, items: basket('').items, customer, tenders: [{ kind: 'cash' }] };
    const { order } = succeeded(await call('POST', '/orders/at-counter', barber, sale));
    marks.learn('response collection_code', (order as { readonly collection_code: string }).collection_code);
  }

  const tap = fieldsOf(nextTap());
  for (const [what, value] of Object.entries(tap)) if (what !== 'nfc_key_version') marks.learn(what, value);
  const phone = { device_info: marks.plant('device info'), location_info: marks.plant('location info') };
  const minted = succeeded(await call('POST', '/loyalty/stamp-codes', shopper.customer, { store_id: coffee, ...phone, ...tap }));
  succeeded(await call('POST', '/loyalty/stamp-codes/redeem', friend.customer, { code: minted.code, expected_store_id: coffee }));

  let stamp: Record<string, unknown> = {};
  for (let i = 0; i < 6; i += 1) {
    const grant = { store_id: coffee, customer_id: friend.customerId, idempotency_key: randomUUID() };
    stamp = succeeded(await call('POST', '/loyalty/stamps', barber, grant));
  }
  const state = succeeded(await call('GET', `/loyalty/customer-state?store_id=${coffee}&customer_id=${friend.customerId}`, barber));
  const [voucher] = state.active_vouchers as Record<string, unknown>[];
  marks.learn('a voucher code', voucher?.code);
  const redemption = { store_id: coffee, customer_id: friend.customerId, voucher_id: voucher?.id };
  succeeded(await call('POST', '/loyalty/redemptions', barber, redemption));
  await call('POST', '/loyalty/stamps/undo', barber, { store_id: coffee, customer_id: friend.customerId, stamp_id: stamp.stamp_id });
  const receipt = { receipt_id: 'tap-1', store_code: 'S1', tap_timestamp: new Date().toISOString(), ...fieldsOf(nextTap()) };
  for (const what of ['nfc_picc_data', 'nfc_cmac'] as const) marks.learn(what, receipt[what]);
  await call('POST', '/loyalty/stamps/sync-offline', shopper.customer, { stamps: [receipt] });
  await call('POST', '/loyalty/multi-stamp/request', shopper.customer, { store_id: 'S1', requested_stamps: 2 });
  for (const staff of [{ staff_secret: card, ...fieldsOf(nextTap()) }, { staff_token: session }])
    await call('POST', '/loyalty/multi-stamp/confirm', shopper.customer, { store_code: 'S1', ...staff });

  const guest = { guest_name: marks.plant("a guest's name"), guest_phone: marks.plantPhone("a guest's phone") };
  const entry = succeeded(await call('POST', '/queue/join', null, { store_id: cuts, ...guest })).entry_id;
  succeeded(await call('GET', `/queue/status?entry_id=${entry}`, null));
  succeeded(await call('GET', `/queue/entries?store_id=${cuts}`, barber));
  for (const action of ['call', 'recall', 'assign', 'complete'])
    succeeded(await call('POST', `/queue/entries/${entry}/${action}`, barber, { store_id: cuts }));
  succeeded(await call('POST', '/queue/leave', null, { entry_id: entry }));

  succeeded(await call('POST', '/notifications/preferences', shopper.customer, { storeId: coffee, stampEventsEnabled: false }));
  succeeded(await call('POST', '/notifications/marketing-opt-in', shopper.customer, { store_id: coffee, accepted: true }));
  succeeded(await call('GET', '/notifications/preferences', shopper.customer));
  const device = { platform: 'android', token: `token-of-a-phone-${randomUUID()}` };
  marks.learn('the token of a device', device.token);
  succeeded(await call('POST', '/notifications/devices', shopper.customer, device));
}
