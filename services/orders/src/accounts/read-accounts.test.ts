// covers: createOrder

import { randomUUID } from 'node:crypto';
import { DirectoryFile } from '@corner/contracts';
import { findWrongAccounts } from '@corner/operator';
import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { readProviderState } from '../events/tables.ts';
import { customer } from '../testing/callers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { eventOf, publish, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, ordersOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { lookAtAccount, lookAtUnseenAccounts, readAccounts } from './sagas.ts';
import { reportRefusedOrders } from './transactions.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('the account of a store', () => {
  const cake = { items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
  const outcomeOf = async (store: OpenStore, request: object = cake) => {
    const { status, body } = await customer(running).create(store, request as Record<string, unknown>);
    return [status, body.error?.code];
  };
  const refused = [409, 'STORE_NOT_ACCEPTING_ORDERS'];
  const published = async (store: OpenStore) => (await eventsOf(running, store.id)).map(({ type, data }) => [type, data]);
  const change = (store: OpenStore, account: { charges?: boolean; transfers?: boolean }) => {
    running.payments.controls.registerAccount(store.account, account);
    running.clock.advance({ seconds: 1 });
  };
  const restrict = (store: OpenStore) => change(store, { charges: false, transfers: false });
  const lift = (store: OpenStore) => change(store, { charges: true, transfers: true });
  const sendUpdate = async (store: OpenStore) => {
    await publish(running, eventOf('account.updated', store.account));
    await untilProcessed(running);
  };
  const untilRecorded = (store: OpenStore, refusals: number) =>
    until(
      async () =>
        (await running.service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
          select count(*)::int as count from refusal where store_id = ${store.id}`)) === refusals,
      { describe: `${refusals} recorded refusals` },
    );
  const callsOfProvider = () => running.payments.books().posts.length;

  test('while the account is restricted no order is placed, nothing is held, and the provider is not called', async () => {
    await using loyalty = await startLoyalty(running);
    const store = await running.openStore();
    const voucherId = randomUUID();
    loyalty.issue(voucherId, { value_kind: 'amount', value: 100, item_id: null });
    restrict(store);
    await sendUpdate(store);
    const before = callsOfProvider();
    expect(await outcomeOf(store, { ...cake, voucher_id: voucherId })).toEqual(refused);
    expect([await takenOf(running, store.id), await ordersOf(running, store.id), loyalty.calls, callsOfProvider()]).toEqual([
      0,
      0,
      [],
      before,
    ]);
    expect(await readProviderState(running.service.database, running.clock.now())).toMatchObject({ restricted: 1 });
    lift(store);
    await sendUpdate(store);
    expect((await outcomeOf(store))[0]).toBe(200);
  });

  test('a restriction and its end are published once each, however often the provider repeats itself', async () => {
    const store = await running.openStore();
    await sendUpdate(store);
    restrict(store);
    await Promise.all([sendUpdate(store), sendUpdate(store), readAccounts(running.service.context), readAccounts(running.service.context)]);
    await sendUpdate(store);
    lift(store);
    await Promise.all([sendUpdate(store), readAccounts(running.service.context)]);
    expect(await published(store)).toEqual([
      [
        'store.account_changed',
        expect.objectContaining({ store_id: store.id, accepts_orders: false, reasons: expect.arrayContaining(['charges_disabled']) }),
      ],
      ['store.account_changed', expect.objectContaining({ accepts_orders: true, reasons: [] })],
    ]);
  });

  test('an answer of the provider that arrives after the answer to a later question changes nothing', async () => {
    const store = await running.openStore();
    const { context } = running.service;
    await lookAtAccount(context, store.account);
    const late = {
      ...context.accounts,
      async account(id: string) {
        const accepting = await context.accounts.account(id);
        restrict(store);
        await lookAtAccount(context, id);
        return accepting;
      },
    };
    await lookAtAccount({ ...context, accounts: late }, store.account);
    expect((await published(store)).map(([, data]) => data.accepts_orders)).toEqual([false]);
    expect(await outcomeOf(store)).toEqual(refused);
  });

  test('an account that may only receive transfers is enough for a store that is charged in the platform’s name', async () => {
    const [own, platforms] = [await running.openStore({ on_behalf_of: true }), await running.openStore()];
    for (const store of [own, platforms]) {
      running.payments.controls.registerAccount(store.account, { charges: false });
      await sendUpdate(store);
    }
    expect(await outcomeOf(own)).toEqual(refused);
    expect((await outcomeOf(platforms))[0]).toBe(200);
    expect((await published(platforms)).map(([type]) => type)).toEqual([]);
    await running.service.database.query(sql.type(z.object({}))`update store set on_behalf_of = true where id = ${platforms.id}`);
    await lookAtUnseenAccounts(running.service.context);
    expect(await outcomeOf(platforms)).toEqual(refused);
    expect((await published(platforms)).map(([, data]) => data.accepts_orders)).toEqual([false]);
    await running.service.database.query(sql.type(z.object({}))`update store set on_behalf_of = false where id = ${platforms.id}`);
    await lookAtUnseenAccounts(running.service.context);
    expect((await outcomeOf(platforms, {}))[0]).toBe(200);
  });

  test('a restriction whose account.updated was lost is found in the list of accounts, and so is its end', async () => {
    const store = await running.openStore();
    await readAccounts(running.service.context);
    running.payments.controls.registerAccount(store.account, { transfers: false });
    const { body } = await customer(running).create(store);
    expect(body.error.message).toBe('The payment provider takes no payment for this store.');
    await readAccounts(running.service.context);
    expect(await outcomeOf(store)).toEqual(refused);
    lift(store);
    await readAccounts(running.service.context);
    expect((await outcomeOf(store))[0]).toBe(200);
  });

  test('the account of a new store is looked at once, and again when the store names another one', async () => {
    const restricted = `acct_${randomUUID().slice(0, 8)}`;
    running.payments.controls.registerAccount(restricted, { charges: false, transfers: false });
    const id = randomUUID();
    const store = await running.openStore({ id, connected_account_id: restricted });
    await lookAtUnseenAccounts(running.service.context);
    expect(await outcomeOf(store)).toEqual(refused);
    const { account } = await running.openStore({ id, version: 2 });
    expect((await outcomeOf(store, {}))[0]).toBe(200);
    await lookAtUnseenAccounts(running.service.context);
    expect((await published({ ...store, account })).map(([, data]) => data.accepts_orders)).toEqual([false, true]);
  });

  test('a store whose account is unknown to the provider accepts no orders', async () => {
    const store = await running.openStore({ connected_account_id: 'acct_of_nothing' });
    await lookAtUnseenAccounts(running.service.context);
    expect(await outcomeOf(store)).toEqual(refused);
    expect(await published(store)).toMatchObject([['store.account_changed', { accepts_orders: false, reasons: ['account_unknown'] }]]);
  });

  test('a store whose account was never looked at, because the provider is down, accepts orders', async () => {
    const store = await running.openStore();
    running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: store.account, times: 12 });
    await lookAtUnseenAccounts(running.service.context);
    running.payments.controls.clearFaults();
    expect((await outcomeOf(store))[0]).toBe(200);
  });

  test('refused orders are published at most once an hour, counted since the last time', async () => {
    const store = await running.openStore();
    restrict(store);
    // Refusals are recorded with the time of the machine, so the restriction begins at it.
    running.clock.set(new Date().toISOString());
    await sendUpdate(store);
    const refuse = async (times: number) => {
      for (let n = 0; n < times; n++) expect(await outcomeOf(store)).toEqual(refused);
    };
    const reports = async () =>
      (await published(store)).filter(([type]) => type === 'store.orders_refused').map(([, data]) => data.refused);
    const report = () => Promise.all([1, 2].map(() => running.service.database.transaction(reportRefusedOrders)));
    await refuse(3);
    await untilRecorded(store, 3);
    await report();
    await refuse(2);
    await untilRecorded(store, 5);
    running.clock.advance({ minutes: 59 });
    await report();
    expect(await reports()).toEqual([3]);
    running.clock.advance({ minutes: 2 });
    await report();
    await report();
    expect(await reports()).toEqual([3, 2]);
  });
});

describe('the accounts of a directory', () => {
  beforeAll(async () => {
    running.payments.controls.registerAccount('acct_known');
  });

  const store = (n: number, connected_account_id: string | null) => ({
    id: `0190a000-0000-7000-8000-00000000000${n}`,
    code: `S${n}`,
    name: 'Corner Coffee',
    connected_account_id,
  });

  const wrongIn = async (...accounts: readonly (string | null)[]) => {
    const { broker } = await running.service.backbone;
    const file = DirectoryFile.parse({ stores: accounts.map((account, n) => store(n, account)) });
    return await findWrongAccounts(file, { connection: broker.connection, namespace: broker.subject('') });
  };

  test('each account that the provider does not know is named with its place in the directory', async () => {
    expect(await wrongIn('acct_known', 'acct_typo', null, 'acct_other')).toEqual([
      'stores[1].connected_account_id: acct_typo is not known to the payment provider',
      'stores[3].connected_account_id: acct_other is not known to the payment provider',
    ]);
    expect(await wrongIn('acct_known', null)).toEqual([]);
  });

  test('while the provider is down the check fails, and names no account', async () => {
    running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: '/v1/accounts', times: 12 });
    await expect(wrongIn('acct_known')).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR' });
  });
});
