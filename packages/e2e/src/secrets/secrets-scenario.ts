import { randomUUID } from 'node:crypto';
import { fieldsOf, tapOf } from '@corner/loyalty/testing';
import { applyDirectory, connectNats, demoDirectory, people, type RunningSystem, stores } from '@corner/sandbox';
import type { History } from '../testing/history.ts';
import { basket, newShopper, pay, runOrderScenario, type Shopper } from '../testing/order-scenario.ts';
import { type ApiResponse, callOnce } from '../testing/recording-client.ts';
import type { Marks } from './marks.ts';

/** People and staff whose names, addresses, devices and cards are marked, and whoever needs a token. */
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

/** Brings people with marked data into the directory, and tags at the counter. */
export async function createMarkedActors(system: RunningSystem, marks: Marks): Promise<MarkedActors> {
  const [shopper, friend] = [await newShopper(system), await newShopper(system)];
  const card = `card_${marks.plantHex('staff card', 16)}`;
  const person = (id: string, who: string) => ({
    id,
    name: `Zed ${marks.plant(`${who}'s name`)}`,
    email: `${marks.plant(`${who}'s e-mail`)}@mail.example`,
    phone: marks.plantPhone(`${who}'s phone`),
    identity_user_id: marks.plant(`${who}'s identity`),
    push_devices: [{ id: marks.plant(`${who}'s device`), platform: 'ios' }],
  });
  const staffId = randomUUID();
  const staffName = marks.plant("a staff member's name");
  const demo = demoDirectory(new Date()) as { programmes: { store_id: string }[]; staff: unknown[] };
  await using nats = await connectedTo(system);
  await applyDirectory(
    {
      stores: (demo as unknown as { stores: unknown[] }).stores,
      customers: [person(shopper.customerId, 'the customer'), person(friend.customerId, 'the friend')],
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

/** A connection that ends with its block. */
export async function connectedTo({ natsUrl }: RunningSystem) {
  const connection = await connectNats(natsUrl, 'journeys');
  return { connection, [Symbol.asyncDispose]: () => connection.close() };
}

const secretsOf = [
  'client_secret',
  'ephemeral_key',
  'code',
  'full_message',
  'voucher_code',
  'redemption_code',
  'entry_id',
  'collection_code',
];

/** Everything that goes well: an order with a card and its refund, codes, taps, rewards, the queue, preferences, staff. */
export async function runMarkedScenario(system: RunningSystem, history: History, marks: Marks, cast: MarkedActors): Promise<void> {
  const { shopper, friend, barber, session, card } = cast;
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, token: string | null, body?: unknown): Promise<ApiResponse> => {
    const url = `${system.gatewayUrl}/api/v1${path}`;
    const keyed = method === 'GET' ? {} : { key: randomUUID(), body };
    const response = await callOnce(history, { operation: path, method, url, ...keyed, ...(token ? { token } : {}) });
    for (const name of secretsOf) marks.learn(`answered ${name}`, response.body[name]);
    return response;
  };
  const done = (response: ApiResponse): ApiResponse['body'] => {
    if (response.status === 200) return response.body;
    throw new Error(`the walk was answered ${response.status}: ${response.text}`);
  };

  const { orderId } = await runOrderScenario({ system, history }, shopper);
  for (const { response } of history.calls.filter(({ operation }) => operation === 'create'))
    for (const name of secretsOf) marks.learn(`answered ${name}`, (response as Record<string, unknown>)[name]);
  done(await call('GET', `/orders/${orderId}?store_id=${coffee}`, barber));
  done(await call('GET', `/orders/${orderId}/log?store_id=${coffee}`, barber));
  done(await call('GET', `/orders?store_id=${coffee}`, barber));

  const second = done(await call('POST', '/orders', friend.customer, basket(friend.key)));
  await pay(system, history, String(second.payment_intent_id));
  const ofSecond = { store_id: coffee, payment_intent_id: second.payment_intent_id };
  marks.learn('answered collection_code', done(await call('POST', '/orders/confirm', friend.customer, ofSecond)).collection_code);
  const note = marks.plant('a note about a delay');
  done(await call('POST', `/orders/${second.order_id}/notify-delay`, barber, { store_id: coffee, delayMinutes: 10, note }));
  const reason = marks.plant('the reason of a refund');
  done(await call('POST', `/orders/${second.order_id}/refund`, barber, { store_id: coffee, reason, amount_pence: 100 }));

  // Codes: by a tap, with whatever the phone says of itself, then redeemed by somebody else.
  const tap = fieldsOf(tapOf(uid, 1));
  for (const [what, value] of Object.entries(tap)) if (what !== 'nfc_key_version') marks.learn(what, value);
  const phone = { device_info: marks.plant('device info'), location_info: marks.plant('location info') };
  const minted = done(await call('POST', '/loyalty/stamp-codes', shopper.customer, { store_id: coffee, ...phone, ...tap }));
  done(await call('POST', '/loyalty/stamp-codes/redeem', friend.customer, { code: minted.code, expected_store_id: coffee }));

  let stamp: Record<string, unknown> = {};
  for (let i = 0; i < 6; i += 1) {
    const grant = { store_id: coffee, customer_id: friend.customerId, idempotency_key: randomUUID() };
    stamp = done(await call('POST', '/loyalty/stamps', barber, grant));
  }
  const state = done(await call('GET', `/loyalty/customer-state?store_id=${coffee}&customer_id=${friend.customerId}`, barber));
  const [voucher] = state.active_vouchers as Record<string, unknown>[];
  marks.learn('a voucher code', voucher?.code);
  const redemption = { store_id: coffee, customer_id: friend.customerId, voucher_id: voucher?.id };
  done(await call('POST', '/loyalty/redemptions', barber, redemption));
  await call('POST', '/loyalty/stamps/undo', barber, { store_id: coffee, customer_id: friend.customerId, stamp_id: stamp.stamp_id });
  const receipt = { receipt_id: 'tap-1', store_code: 'S1', tap_timestamp: new Date().toISOString(), ...fieldsOf(tapOf(uid, 2)) };
  for (const what of ['nfc_picc_data', 'nfc_cmac'] as const) marks.learn(what, receipt[what]);
  await call('POST', '/loyalty/stamps/sync-offline', shopper.customer, { stamps: [receipt] });
  await call('POST', '/loyalty/multi-stamp/request', shopper.customer, { store_id: 'S1', requested_stamps: 2 });
  for (const staff of [{ staff_secret: card }, { staff_token: session }])
    await call('POST', '/loyalty/multi-stamp/confirm', shopper.customer, { store_code: 'S1', ...staff });

  // A guest with a name and a phone, whose entry is theirs by its id alone.
  const guest = { guest_name: marks.plant("a guest's name"), guest_phone: marks.plantPhone("a guest's phone") };
  const entry = done(await call('POST', '/queue/join', null, { store_id: cuts, ...guest })).entry_id;
  done(await call('GET', `/queue/status?entry_id=${entry}`, null));
  done(await call('GET', `/queue/entries?store_id=${cuts}`, barber));
  for (const deed of ['call', 'recall', 'assign', 'complete'])
    done(await call('POST', `/queue/entries/${entry}/${deed}`, barber, { store_id: cuts }));
  done(await call('POST', '/queue/leave', null, { entry_id: entry }));

  done(await call('POST', '/notifications/preferences', shopper.customer, { storeId: coffee, stampEventsEnabled: false }));
  done(await call('POST', '/notifications/marketing-opt-in', shopper.customer, { store_id: coffee, accepted: true }));
  done(await call('GET', '/notifications/preferences', shopper.customer));
}
