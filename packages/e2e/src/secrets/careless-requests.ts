import { randomUUID } from 'node:crypto';
import { stores } from '@corner/sandbox/demo';
import type { RunningSystem } from '@corner/sandbox/system';
import type { Marks } from './marks.ts';
import type { MarkedActors } from './secrets-scenario.ts';

/** The response to a careless request, with its headers and body as text. */
export interface Refusal {
  readonly request: string;
  readonly status: number;
  readonly text: string;
}

/** Sends secrets in places where they do not belong, as a careless client might. Returns the responses. */
export async function sendCarelessRequests(system: RunningSystem, marks: Marks, { shopper, session }: MarkedActors): Promise<Refusal[]> {
  const json = { 'content-type': 'application/json' };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { ...json, ...headers },
    body,
  });
  const claims = Buffer.from(JSON.stringify({ sub: marks.plant('a claim of a forged token'), exp: 9e9 })).toString('base64url');
  const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.${marks.plant('a forged signature')}`;
  marks.learn('the claims of a forged token', claims);
  const body = (fields: object) => JSON.stringify({ store_code: 'S1', store_id: stores.coffee.id, order_type: 'collect', ...fields });
  const requests: Readonly<Record<string, readonly [path: string, init: RequestInit]>> = {
    'in a query': [`/api/v1/orders?store_id=${stores.coffee.id}&token=${marks.plant('in a query')}`, { headers: bearer(shopper.merchant) }],
    'as a store': [`/api/v1/orders?store_id=${marks.plant('as a store')}`, { headers: bearer(shopper.merchant) }],
    'as a cursor': [
      `/api/v1/orders?store_id=${stores.coffee.id}&before=${marks.plant('as a cursor')}&before_id=${marks.plant('as a cursor id')}`,
      { headers: bearer(shopper.merchant) },
    ],
    'as an entry': [`/api/v1/queue/status?entry_id=${marks.plant('as an entry')}`, {}],
    'in a path': [`/api/v1/orders/${marks.plant('in a path')}/log?store_id=${stores.coffee.id}`, { headers: bearer(shopper.merchant) }],
    'as a route': [`/api/v1/orders/${marks.plant('as a route')}/${marks.plant('as a route below')}`, {}],
    'as a service': [`/api/v1/${marks.plant('as a service')}`, {}],
    'as a page': [`/${marks.plant('as a page')}?x=${marks.plant('in a query of no page')}`, {}],
    'with a bad escape': [`/api/v1/orders/%E0%A4%A${marks.plant('with a bad escape')}`, {}],
    'as a bearer': ['/api/v1/notifications/preferences', { headers: bearer(marks.plant('as a bearer')) }],
    'as a password': ['/api/v1/notifications/preferences', { headers: { authorization: `Basic ${marks.plant('as a password')}` } }],
    'in a forged token': ['/api/v1/notifications/preferences', { headers: bearer(forged) }],
    'a staff session as a token': ['/api/v1/notifications/preferences', { headers: bearer(session) }],
    'in headers': [
      '/api/v1/notifications/preferences',
      {
        headers: {
          ...bearer(shopper.customer),
          cookie: `s=${marks.plant('in a cookie')}`,
          'x-api-key': marks.plant('in an api key'),
          'user-agent': marks.plant('in a user agent'),
          'x-request-id': `mail ${marks.plant('in a request id')}@mail.example`,
          accept: `application/${marks.plant('in accept')}`,
        },
      },
    ],
    'in half a body': ['/api/v1/orders', post(`{"phone": "${marks.plant('in half a body')}`, bearer(shopper.customer))],
    'as a whole body': ['/api/v1/orders', post(marks.plant('as a whole body'), bearer(shopper.customer))],
    'in a body of another kind': [
      '/api/v1/orders',
      {
        method: 'POST',
        headers: { ...bearer(shopper.customer), 'content-type': 'text/plain' },
        body: marks.plant('in a body of another kind'),
      },
    ],
    'in wrong fields': [
      '/api/v1/orders',
      post(
        body({
          items: marks.plant('as items'),
          collection_mode: marks.plant('as a choice'),
          idempotency_key: { a: marks.plant('as a key') },
        }),
        bearer(shopper.customer),
      ),
    ],
    'as a field': ['/api/v1/orders', post(body({ [marks.plant('as the name of a field')]: 1 }), bearer(shopper.customer))],
    'as an item': [
      '/api/v1/orders',
      post(
        body({ idempotency_key: randomUUID(), collection_mode: 'now', items: [{ menu_item_id: marks.plant('as an item'), quantity: 1 }] }),
        bearer(shopper.customer),
      ),
    ],
    'as a promo code': [
      '/api/v1/orders',
      post(
        body({
          idempotency_key: randomUUID(),
          collection_mode: 'now',
          items: [{ menu_item_id: 'croissant', quantity: 1 }],
          promo_code: marks.plant('as a promo code'),
        }),
        bearer(shopper.customer),
      ),
    ],
    'as an intent': [
      '/api/v1/orders/confirm',
      post(
        JSON.stringify({ store_id: stores.coffee.id, payment_intent_id: `pi_${marks.plant('as an intent')}` }),
        bearer(shopper.customer),
      ),
    ],
    'as a code': ['/api/v1/loyalty/stamp-codes/redeem', post(JSON.stringify({ code: marks.plant('as a code') }))],
    'as a phone': [
      '/api/v1/queue/join',
      post(
        JSON.stringify({ store_id: stores.cuts.id, guest_name: marks.plant('as a refused name'), guest_phone: marks.plant('as a phone') }),
      ),
    ],
    'as a tap': [
      '/api/v1/loyalty/stamp-codes',
      post(
        JSON.stringify({
          store_id: stores.coffee.id,
          nfc_picc_data: marks.plantHex('a forged picc', 16),
          nfc_cmac: marks.plantHex('a forged cmac', 8),
          nfc_key_version: '1',
        }),
      ),
    ],
    'as a staff card': [
      '/api/v1/loyalty/multi-stamp/confirm',
      post(
        JSON.stringify({
          store_code: 'S1',
          staff_secret: marks.plant('a wrong card'),
          staff_token: `${marks.plant('a wrong session')}.a.b`,
        }),
        bearer(shopper.customer),
      ),
    ],
    'in a webhook': [
      '/webhooks/stripe',
      post(`{"id":"${marks.plant('in a webhook')}"}`, { 'stripe-signature': `t=1,v1=${marks.plant('a webhook signature')}` }),
    ],
    'too much of it': ['/api/v1/orders', post(`{"a":"${marks.plant('too much of it').repeat(6_000)}"}`, bearer(shopper.customer))],
  };
  return await Promise.all(
    Object.entries(requests).map(async ([request, [path, init]]) => {
      const response = await fetch(`${system.gatewayUrl}${path}`, init);
      return { request, status: response.status, text: `${JSON.stringify([...response.headers])} ${await response.text()}` };
    }),
  );
}
