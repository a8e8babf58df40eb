// covers: eraseMe, exportMe, requestErasure, readErasure
import { randomUUID } from 'node:crypto';
import { beginErasure, customerErased, eraseAgain, listErasures } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { lookAtStream } from '../imports/sagas.ts';
import { newestSnapshot } from '../testing/published.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openShop, refusal, type Shop } from '../testing/shop.ts';
import { answerForLoyalty, type Visits } from '../testing/visits.ts';
import { collectErasures } from './sagas/erasures.ts';

let running: Running;
let shop: Shop;
let id: string;
let token: string;
let visits: Visits;
beforeAll(async () => {
  running = await startRunning();
  visits = await answerForLoyalty(running);
  shop = await openShop(running);
});
beforeEach(async () => {
  id = randomUUID();
  token = await running.issuer.token({ typ: 'customer', sub: id });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const profile = {
  name: 'Zed Zander',
  email: 'zed@example.com',
  phone: '+447700900777',
  push_devices: [{ id: 'phone-of-zed', platform: 'ios' }],
};
const live = async () => expect((await shop.patch('//me', profile, { token })).status).toBe(200);
async function erase(key: string = randomUUID()): Promise<ApiResponse> {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
  const response = await fetch(`${running.service.url}/api/v1/directory/me`, { method: 'DELETE', headers });
  return { status: response.status, body: await response.json(), etag: null };
}
const Text = z.object({ text: z.string() });
const stored = async () =>
  (
    await running.service.database.any(sql.type(Text)`
      select o::text as text from object o where id = ${id} union all select c::text from change c where object_id = ${id}
      union all select e::text from outbox e where aggregate_id = ${id}`)
  ).map(({ text }) => text);
const erasedEvents = () =>
  running.service.database.any(sql.type(z.object({ sequence: z.number() }))`
    select aggregate_sequence as sequence from outbox where aggregate_id = ${id} and type = ${customerErased.type} order by id`);

describe('the erasure of a customer', () => {
  test('empties the profile and all that was published of it, and a repeat returns the same one', async () => {
    await live();
    const key = randomUUID();
    const first = await erase(key);
    expect([first.status, first.body.certificate]).toMatchObject([200, { state: 'running', requested_by: 'customer' }]);
    for (const repeat of [await erase(key), await erase()]) expect(repeat.body.receipt).toBe(first.body.receipt);
    expect(await erasedEvents()).toEqual([{ sequence: 1 }]);
    expect((await newestSnapshot(running, 'customer', id)).data).toMatchObject({ version: 2, name: null, email: null, push_devices: [] });
    const texts = (await stored()).join('\n');
    for (const value of ['Zed', 'zed@', '900777', 'phone-of-zed']) expect(texts).not.toContain(value);
  });

  test('of a customer without a profile publishes it all the same', async () => {
    expect((await erase()).status).toBe(200);
    expect(await erasedEvents()).toEqual([{ sequence: 1 }]);
  });

  test('leaves a token that no one can write a profile with', async () => {
    await live();
    await erase();
    for (const change of [{ name: 'Zed' }, { language: 'fr' }])
      expect(refusal(await shop.patch('//me', change, { token }))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('leaves no customer to whom a store could give a membership', async () => {
    await live();
    visits.add(shop.storeId, id);
    await erase();
    const membership = { status: 'active', plan: 'gold' };
    expect(refusal(await shop.patch(`/customers/${id}`, { membership }))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
  });

  test('has a certificate that only its receipt opens, and that waits for each service', async () => {
    const { receipt } = (await erase()).body;
    await collectErasures(running.service.context);
    const { certificate } = (await shop.get(`//erasures/${receipt}`, { token })).body;
    expect(certificate.services.map(({ service, state }: { service: string; state: string }) => `${service} ${state}`)).toEqual([
      'directory done',
      ...['orders', 'loyalty', 'queue', 'notifications'].map((service) => `${service} waiting`),
    ]);
    expect(JSON.stringify(certificate)).not.toContain(id);
    expect(refusal(await shop.get(`//erasures/${id}`))).toEqual([404, 'ERASURE_NOT_FOUND']);
  });
});

describe('a store that passes on a request', () => {
  const ask = (customerId: string, role: 'owner' | 'manager' = 'owner') =>
    shop.post(`/customers/${customerId}/erasure-requests`, {}, { role });

  test('has it recorded; an operator begins it, with the same receipt', async () => {
    await live();
    visits.add(shop.storeId, id);
    const asked = await ask(id);
    expect(asked.body.certificate).toMatchObject({ state: 'requested', requested_by: 'merchant', services: [] });
    expect((await ask(id)).body.receipt).toBe(asked.body.receipt);
    expect(await erasedEvents()).toEqual([]);
    const { output } = await running.call(listErasures, { of: id, by: 'olu' });
    expect(output?.erasures[0]).toMatchObject({ customer_id: id, receipt: asked.body.receipt });
    const begun = await running.call(beginErasure, { customer_id: id, by: 'olu' });
    expect(begun.output).toMatchObject({ receipt: asked.body.receipt, certificate: { state: 'running', requested_by: 'merchant' } });
    expect(await erasedEvents()).toEqual([{ sequence: 1 }]);
  });

  test('is refused for an unknown customer, for one who never was there, and to a manager', async () => {
    await live();
    visits.add((await openShop(running)).storeId, id);
    expect(refusal(await ask(id))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    expect((await running.call(listErasures, { of: id, by: 'olu' })).output?.erasures).toEqual([]);
    expect(refusal(await ask(randomUUID()))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    expect(refusal(await ask(id, 'manager'))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const elsewhere = randomUUID();
    const ofNoStore = await running.issuer.token({ typ: 'merchant', sub: randomUUID(), stores: [{ id: elsewhere, role: 'owner' }] });
    const unknown = await shop.post(`//stores/${elsewhere}/customers/${id}/erasure-requests`, {}, { token: ofNoStore });
    expect(refusal(unknown)).toEqual([404, 'STORE_NOT_FOUND']);
  });
});

describe('after a restore', () => {
  test('an erasure that the stream holds and the database does not is done again, above its sequence, and once', async () => {
    await live();
    const event = envelopeOf(
      customerErased,
      { customer_id: id, at: '2026-05-01T11:00:00Z' },
      { aggregateId: id, sequence: 3, customerId: id },
    );
    await running.publish(event);
    for (let times = 0; times < 2; times += 1) await lookAtStream(running.service.context);
    expect(await erasedEvents()).toEqual([{ sequence: 4 }]);
    expect((await stored()).join('\n')).not.toContain('Zed');
  });

  test('an operator publishes the erasures since a moment again, with higher sequences', async () => {
    await erase();
    const again = (since: string) => running.call(eraseAgain, { since, by: 'olu' });
    expect((await again('2026-05-02T00:00:00Z')).output).toEqual({ erased: 0, next: null });
    expect((await again('2026-05-01T00:00:00Z')).output?.erased).toBeGreaterThan(0);
    expect(await erasedEvents()).toEqual([{ sequence: 1 }, { sequence: 2 }]);
  });
});

test('an export is refused while a service does not answer, and names it', async () => {
  await live();
  const refused = await shop.get('//me/export', { token });
  expect(refusal(refused)).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
  expect(refused.body.error.message).toMatch(/cannot be read right now: \w+ does not answer/);
});
