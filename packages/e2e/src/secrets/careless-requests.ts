import { randomUUID } from 'node:crypto';
import { stores } from '@corner/sandbox/demo';
import type { RunningSystem } from '@corner/sandbox/system';
import type { Marks } from './marks.ts';
import type { MarkedActors } from './secrets-scenario.ts';

export interface Refusal {
  readonly request: string;
  readonly status: number;
  readonly text: string;
}

export async function sendCarelessRequests(system: RunningSystem, marks: Marks, actors: MarkedActors): Promise<Refusal[]> {
  const requests = { ...inAddresses(marks, actors), ...inHeaders(marks, actors), ...inBodies(marks, actors), ...inFields(marks, actors) };
  return await Promise.all(
    Object.entries(requests).map(async ([request, [path, init]]) => {
      const response = await fetch(`${system.gatewayUrl}${path}`, init);
      return { request, status: response.status, text: `${JSON.stringify([...response.headers])} ${await response.text()}` };
    }),
  );
}

type Requests = Readonly<Record<string, readonly [path: string, init: RequestInit]>>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
const preferences = '/api/v1/notifications/preferences';

function inAddresses(marks: Marks, { shopper }: MarkedActors): Requests {
  const asMerchant = { headers: bearer(shopper.merchant) };
  const list = `/api/v1/orders?store_id=${stores.coffee.id}`;
  return {
    'in a query': [`${list}&token=${marks.plant('in a query')}`, asMerchant],
    'as a store': [`/api/v1/orders?store_id=${marks.plant('as a store')}`, asMerchant],
    'as a cursor': [`${list}&before=${marks.plant('as a cursor')}&before_id=${marks.plant('as a cursor id')}`, asMerchant],
    'as an entry': [`/api/v1/queue/status?entry_id=${marks.plant('as an entry')}`, {}],
    'in a path': [`/api/v1/orders/${marks.plant('in a path')}/log?store_id=${stores.coffee.id}`, asMerchant],
    'as a route': [`/api/v1/orders/${marks.plant('as a route')}/${marks.plant('as a route below')}`, {}],
    'as a service': [`/api/v1/${marks.plant('as a service')}`, {}],
    'as a page': [`/${marks.plant('as a page')}?x=${marks.plant('in a query of no page')}`, {}],
    'with a bad escape': [`/api/v1/orders/%E0%A4%A${marks.plant('with a bad escape')}`, {}],
  };
}

function inHeaders(marks: Marks, { shopper, session }: MarkedActors): Requests {
  const claims = Buffer.from(JSON.stringify({ sub: marks.plant('a claim of a forged token'), exp: 9e9 })).toString('base64url');
  const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.${marks.plant('a forged signature')}`;
  marks.learn('the claims of a forged token', claims);
  const everywhere = {
    ...bearer(shopper.customer),
    cookie: `s=${marks.plant('in a cookie')}`,
    'x-api-key': marks.plant('in an api key'),
    'user-agent': marks.plant('in a user agent'),
    'x-request-id': `mail ${marks.plant('in a request id')}@mail.example`,
    accept: `application/${marks.plant('in accept')}`,
  };
  return {
    'as a bearer': [preferences, { headers: bearer(marks.plant('as a bearer')) }],
    'as a password': [preferences, { headers: { authorization: `Basic ${marks.plant('as a password')}` } }],
    'in a forged token': [preferences, { headers: bearer(forged) }],
    'a staff session as a token': [preferences, { headers: bearer(session) }],
    'in headers': [preferences, { headers: everywhere }],
  };
}

function inBodies(marks: Marks, { shopper }: MarkedActors): Requests {
  const asCustomer = bearer(shopper.customer);
  const signature = { 'stripe-signature': `t=1,v1=${marks.plant('a webhook signature')}` };
  return {
    'in half a body': ['/api/v1/orders', post(`{"phone": "${marks.plant('in half a body')}`, asCustomer)],
    'as a whole body': ['/api/v1/orders', post(marks.plant('as a whole body'), asCustomer)],
    'in a body of another kind': [
      '/api/v1/orders',
      post(marks.plant('in a body of another kind'), { ...asCustomer, 'content-type': 'text/plain' }),
    ],
    'in a webhook': ['/webhooks/stripe', post(`{"id":"${marks.plant('in a webhook')}"}`, signature)],
    'in a text': ['/webhooks/twilio', post(`Body=${marks.plant('in a text')}`, { 'x-twilio-signature': marks.plant('a signed text') })],
    'too much of it': ['/api/v1/orders', post(`{"a":"${marks.plant('too much of it').repeat(6_000)}"}`, asCustomer)],
  };
}

function inFields(marks: Marks, { shopper }: MarkedActors): Requests {
  const asCustomer = bearer(shopper.customer);
  const sent = (path: string, fields: object, headers = {}) => [`/api/v1${path}`, post(JSON.stringify(fields), headers)] as const;
  const order = (fields: object) =>
    sent('/orders', { store_code: 'S1', store_id: stores.coffee.id, order_type: 'collect', ...fields }, asCustomer);
  const keyed = (menu_item_id: string, more = {}) =>
    order({ idempotency_key: randomUUID(), collection_mode: 'now', items: [{ menu_item_id, quantity: 1 }], ...more });
  const wrong = {
    items: marks.plant('as items'),
    collection_mode: marks.plant('as a choice'),
    idempotency_key: { a: marks.plant('as a key') },
  };
  const intent = { store_id: stores.coffee.id, payment_intent_id: `pi_${marks.plant('as an intent')}` };
  const guest = { store_id: stores.cuts.id, guest_name: marks.plant('as a refused name'), guest_phone: marks.plant('as a phone') };
  const tap = { nfc_picc_data: marks.plantHex('a forged picc', 16), nfc_cmac: marks.plantHex('a forged cmac', 8), nfc_key_version: '1' };
  const staff = { store_code: 'S1', staff_secret: marks.plant('a wrong card'), staff_token: `${marks.plant('a wrong session')}.a.b` };
  return {
    'in wrong fields': order(wrong),
    'as a field': order({ [marks.plant('as the name of a field')]: 1 }),
    'as an item': keyed(marks.plant('as an item')),
    'as a promo code': keyed('croissant', { promo_code: marks.plant('as a promo code') }),
    'as an intent': sent('/orders/confirm', intent, asCustomer),
    'as a code': sent('/loyalty/stamp-codes/redeem', { code: marks.plant('as a code') }),
    'as a phone': sent('/queue/join', guest),
    'as a tap': sent('/loyalty/stamp-codes', { store_id: stores.coffee.id, ...tap }),
    'as a staff card': sent('/loyalty/multi-stamp/confirm', staff, asCustomer),
  };
}
