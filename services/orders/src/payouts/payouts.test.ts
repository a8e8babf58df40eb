// covers: listPayouts

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { lookAtAccount } from '../accounts/index.ts';
import { compareLedger } from '../money/jobs.ts';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { publish, untilProcessed } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { lookAtPayouts, readPayouts } from './sagas.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const list = async (store: OpenStore, query = '') =>
  (await worker(running, store, 'merchant').call('GET', `/api/v1/orders/stores/${store.id}/payouts${query}`)).body.payouts;
const payOut = (store: OpenStore, days?: number) => running.payments.controls.payOut(store.account, 'gbp', days);
const differencesOf = (store: OpenStore) =>
  running.service.database.any(sql.type(
    z.object({ kind: z.string(), provider_pence: z.number(), ledger_pence: z.number(), open: z.boolean() }),
  )`
    select kind, provider_pence, ledger_pence, explained_at is null as open from ledger_difference where store_id = ${store.id}`);
const look = (store: OpenStore) => lookAtPayouts(running.service.context, store.account);

describe('the payouts of a store', () => {
  test('show when the money arrives and which orders it pays, less the platform’s fee', async () => {
    const store = await running.openStore();
    for (let n = 0; n < 2; n++) await paidOrder(running, store);
    const { id } = payOut(store, 3);
    await look(store);
    const arrival_date = new Date(running.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10);
    // Of 640 each, the fee of 5 % stays with the platform.
    const matched = { orders: 2, amount_pence: 1_216, other_pence: 0 };
    expect(await list(store)).toMatchObject([
      { id, amount_pence: 1_216, currency: 'GBP', status: 'in_transit', arrival_date, failure: null, matched },
    ]);
    expect(await differencesOf(store)).toEqual([]);
  });

  test('a refund is taken from the payout after it, as part of its order', async () => {
    const store = await running.openStore();
    const order = await paidOrder(running, store);
    payOut(store);
    await order.refund(320);
    running.clock.advance({ minutes: 1 });
    await paidOrder(running, store);
    payOut(store);
    await look(store);
    expect(
      (await list(store)).map(({ amount_pence, matched }: { amount_pence: number; matched: object }) => [amount_pence, matched]),
    ).toEqual([
      [304, { orders: 2, amount_pence: 304, other_pence: 0 }],
      [608, { orders: 1, amount_pence: 608, other_pence: 0 }],
    ]);
    expect(await differencesOf(store)).toEqual([]);
  });

  test('what was paid for something else is shown apart', async () => {
    const store = await running.openStore();
    await paidOrder(running, store);
    running.payments.controls.topUp(1_000);
    await fetch(`${running.payments.url}/v1/transfers`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_test_corner' },
      body: new URLSearchParams({ amount: '500', currency: 'gbp', destination: store.account, transfer_group: 'a gift' }),
    });
    payOut(store);
    await look(store);
    expect(await list(store)).toMatchObject([{ amount_pence: 1_108, matched: { orders: 1, amount_pence: 608, other_pence: 500 } }]);
  });

  test('a payment of another amount than the order’s is a difference of the ledger, once, and stays open for a person', async () => {
    const store = await running.openStore();
    const { id } = await paidOrder(running, store);
    payOut(store);
    await running.service.database.query(sql.type(z.object({}))`update orders set application_fee_pence = 0 where id = ${id}`);
    await Promise.all([look(store), look(store)]);
    await look(store);
    await compareLedger(running.service.context);
    expect(await differencesOf(store)).toEqual([{ kind: 'payout', provider_pence: 608, ledger_pence: 640, open: true }]);
  });

  test('one that the bank returns says why, and its money is in the next one', async () => {
    const store = await running.openStore();
    await paidOrder(running, store);
    const { id } = payOut(store, 2);
    await look(store);
    running.payments.controls.settlePayout(id, 'failed');
    running.clock.advance({ minutes: 1 });
    payOut(store);
    await look(store);
    expect(await list(store)).toMatchObject([
      { status: 'paid', amount_pence: 608 },
      { id, status: 'failed', failure: 'account_closed' },
    ]);
  });

  test('are read when the provider reports a change, and every hour', async () => {
    const store = await running.openStore();
    await lookAtAccount(running.service.context, store.account);
    await paidOrder(running, store);
    const { id } = payOut(store, 2);
    const event = { id: `evt_${randomUUID()}`, object: 'event', type: 'payout.created', account: store.account, data: { object: { id } } };
    await publish(running, event);
    await untilProcessed(running);
    expect(await list(store)).toMatchObject([{ id, status: 'in_transit' }]);
    running.payments.controls.settlePayout(id, 'paid');
    await readPayouts(running.service.context);
    expect(await list(store)).toMatchObject([{ id, status: 'paid' }]);
  });

  test('that have not changed are not written again', async () => {
    const store = await running.openStore();
    await paidOrder(running, store);
    const { id } = payOut(store, 2);
    const version = () =>
      running.service.database.oneFirst(sql.type(z.object({ xmin: z.string() }))`select xmin::text from payout where id = ${id}`);
    await look(store);
    await look(store);
    const before = await version();
    await look(store);
    expect(await version()).toBe(before);
    running.payments.controls.settlePayout(id, 'paid');
    await look(store);
    expect(await version()).not.toBe(before);
  });

  test('an account that cannot be read keeps no other from being read', async () => {
    const [one, other] = [await running.openStore(), await running.openStore()];
    for (const store of [one, other]) {
      await lookAtAccount(running.service.context, store.account);
      await paidOrder(running, store);
      payOut(store);
    }
    running.payments.controls.failNext({ how: 'error_before', method: 'GET', path: '/v1/payouts', times: 1 });
    await readPayouts(running.service.context);
    await readPayouts(running.service.context);
    expect([(await list(one)).length, (await list(other)).length]).toEqual([1, 1]);
  });

  test('are listed in pages, and no other store’s are', async () => {
    const [store, other] = [await running.openStore(), await running.openStore()];
    for (let n = 0; n < 3; n++) {
      await paidOrder(running, store);
      payOut(store);
      running.clock.advance({ minutes: 1 });
    }
    await look(store);
    const all = (await list(store)).map(({ id }: { id: string }) => id);
    const first = (await list(store, '?limit=2')).map(({ id }: { id: string }) => id);
    const rest = (await list(store, `?limit=2&before=${first.at(-1)}`)).map(({ id }: { id: string }) => id);
    expect([...first, ...rest]).toEqual(all);
    expect(await list(other)).toEqual([]);
    expect(await list(await running.openStore({ connected_account_id: null }))).toEqual([]);
  });
});

describe('who may read them', () => {
  test('a manager of the store, and neither staff nor a customer', async () => {
    const store = await running.openStore();
    const path = `/api/v1/orders/stores/${store.id}/payouts`;
    expect(codeOf(await worker(running, store).call('GET', path))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(codeOf(await customer(running).call('GET', path))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    const unknown = { ...store, id: randomUUID() };
    const read = worker(running, unknown, 'merchant').call('GET', `/api/v1/orders/stores/${unknown.id}/payouts`);
    expect(codeOf(await read)).toEqual([404, 'STORE_NOT_FOUND']);
  });
});
