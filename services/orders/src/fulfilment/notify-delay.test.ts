import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { directoryCustomer, type RpcInput, reachCustomer, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { writeContact } from '../shop/tables/projections.ts';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { eventsOf, expireOverdue, logOf } from '../testing/rows.ts';
import { runConcurrently } from '../testing/run-concurrently.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { sendPendingDelayNotices } from './jobs.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({ time_zone: 'Europe/Paris' });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const orderToDelay = (sub?: string) => lateOrder(running, store, sub);
const minutesAfter = (from: string | number | Date, minutes: number) => new Date(new Date(from).getTime() + minutes * 60_000).toISOString();
const contact = async (has: Record<string, unknown>) => {
  const known = directoryCustomer.data.parse({ version: 1, id: randomUUID(), ...has });
  await running.service.database.transaction((tx) => writeContact(tx, known));
  return known.id;
};

describe('a delay notice', () => {
  test('moves the expected time, changes nothing else of the order, and is published with its note', async () => {
    const { id, notify, published, row } = await orderToDelay();
    const { version, revised_ready_at, ...before } = await row();
    const { status, body } = await notify({ delayMinutes: 10, note: 'The oven is slow.' });
    const expected = minutesAfter(before.requested_collection_at, 10);
    expect([status, body]).toEqual([200, { ok: true, newEta: expected, notified: 'none' }]);
    expect(await published()).toEqual([expect.objectContaining({ order_id: id, new_eta: expected, note: 'The oven is slow.' })]);
    const { version: next, revised_ready_at: revised, ...after } = await row();
    expect([revised_ready_at, minutesAfter(revised, 0), next]).toEqual([null, expected, version + 1]);
    expect(after).toEqual(before);
    const { body: log } = await worker(running, store).call('GET', `/api/v1/orders/${id}/log`);
    const paris = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', hour: '2-digit', minute: '2-digit' }).format(
      new Date(expected),
    );
    expect(log.entries[0]).toMatchObject({
      title: `Running late: expected at ${paris}`,
      detail: 'The oven is slow.',
      actor: 'Ada',
      amount_pence: null,
    });
  });

  test('counts from now when the expected time has passed', async () => {
    const { notify } = await orderToDelay();
    running.clock.advance({ hours: 1 });
    const { body } = await notify({ delayMinutes: 5 });
    expect(body.newEta).toBe(minutesAfter(running.clock.now(), 5));
  });

  test('uses the time when both a time and minutes are given', async () => {
    const { notify } = await orderToDelay();
    const newReadyAt = minutesAfter(running.clock.now(), 90);
    const { body } = await notify({ delayMinutes: 5, newReadyAt });
    expect(body.newEta).toBe(newReadyAt);
  });

  test.each([
    ['push', { push_devices: [{ id: 'd1', platform: 'ios' }], email: 'ada@example.test' }],
    ['email', { email: 'ada@example.test' }],
    ['none', {}],
  ])('is sent by %s', async (by, has) => {
    const { notify } = await orderToDelay(await contact(has));
    expect((await notify({ delayMinutes: 5 })).body.notified).toBe(by);
  });

  test.each(['push', 'email', 'none'] as const)('is sent by the channel notifications returns: %s', async (channel) => {
    await using notifications = await startNotifications(running, channel);
    const customerId = await contact(channel === 'push' ? {} : { push_devices: [{ id: 'd1', platform: 'ios' }] });
    const { notify } = await orderToDelay(customerId);
    expect((await notify({ delayMinutes: 5 })).body.notified).toBe(channel);
    expect(notifications.calls).toEqual([{ customer_id: customerId, store_id: store.id }]);
    expect((await notify({ delayMinutes: 5 })).body).toMatchObject({ notified: 'none', channel_detail: 'deduplicated' });
    expect(notifications.calls).toHaveLength(1);
  });

  test('falls back on the known contact when notifications does not reply', async () => {
    await using notifications = await startNotifications(running, null);
    const { notify } = await orderToDelay(await contact({ email: 'ada@example.test' }));
    expect((await notify({ delayMinutes: 5 })).body.notified).toBe('email');
    expect(notifications.calls).toHaveLength(1);
  });

  test('is sent by the newest known contact', async () => {
    const id = await contact({ version: 2, email: 'ada@example.test' });
    await contact({ version: 1, id, push_devices: [{ id: 'd1', platform: 'ios' }] });
    expect((await (await orderToDelay(id)).notify({ delayMinutes: 5 })).body.notified).toBe('email');
    await contact({ version: 3, id });
    expect((await (await orderToDelay(id)).notify({ delayMinutes: 5 })).body.notified).toBe('none');
  });
});

describe('within a minute of the last delay notice', () => {
  test('the same notice is a repeat, even twenty at once', async () => {
    const { id, notify, published } = await orderToDelay();
    const fiveTaps = () => Promise.all(Array.from({ length: 5 }, () => notify({ delayMinutes: 7 })));
    const responses = (await runConcurrently(running, id, fiveTaps, fiveTaps, fiveTaps, fiveTaps)).flat();
    running.clock.advance({ seconds: 59 });
    responses.push(await notify({ delayMinutes: 7 }));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.newEta}`)).size).toBe(1);
    expect(responses.filter(({ body }) => body.channel_detail === 'deduplicated' && body.notified === 'none')).toHaveLength(20);
    expect(await published()).toHaveLength(1);
    expect((await logOf(running, id)).filter((kind) => kind === 'running_late')).toHaveLength(1);
  });

  test.each([
    ['other minutes', () => ({ delayMinutes: 5 }), () => ({ delayMinutes: 10 })],
    ['another note', () => ({ delayMinutes: 5, note: 'Soon.' }), () => ({ delayMinutes: 5, note: 'Sorry.' })],
    [
      'another time',
      () => ({ newReadyAt: minutesAfter(running.clock.now(), 20) }),
      () => ({ newReadyAt: minutesAfter(running.clock.now(), 30) }),
    ],
  ])('%s is stored and logged, and not published yet', async (_, first, second) => {
    const { id, notify, published } = await orderToDelay(await contact({ email: 'ada@example.test' }));
    const before = await notify(first());
    const { body } = await notify(second());
    expect(body).toMatchObject({ notified: 'none', channel_detail: expect.stringContaining('a minute') });
    expect(Date.parse(body.newEta)).toBeGreaterThan(Date.parse(before.body.newEta));
    expect(minutesAfter((await worker(running, store).get(id)).body.order.revised_ready_at, 0)).toBe(body.newEta);
    expect((await logOf(running, id)).filter((kind) => kind === 'running_late')).toHaveLength(2);
    expect(await published()).toHaveLength(1);
  });
});

test('after a minute the same delay notice adds again and is published again', async () => {
  const { notify, published } = await orderToDelay();
  const first = await notify({ delayMinutes: 5 });
  running.clock.advance({ minutes: 1 });
  const second = await notify({ delayMinutes: 5 });
  expect(Date.parse(second.body.newEta)).toBeGreaterThan(Date.parse(first.body.newEta));
  expect(await published()).toHaveLength(2);
});

describe('a delay notice is refused', () => {
  test.each([
    ['without minutes and without a time', {}, 'INVALID_ETA', /delayMinutes.*newReadyAt/],
    ['for a time that has passed', { newReadyAt: '2020-01-01T00:00:00Z' }, 'INVALID_ETA', /newReadyAt/],
    ['for the day after tomorrow', { newReadyAt: '2999-01-01T00:00:00Z' }, 'INVALID_ETA', /newReadyAt.*24 hours/],
    ['for no minutes', { delayMinutes: 0 }, 'VALIDATION_FAILED', /delayMinutes/],
    ['for more than eight hours', { delayMinutes: 481 }, 'VALIDATION_FAILED', /delayMinutes/],
  ])('%s', async (_, request, code, message) => {
    const { notify, published } = await orderToDelay();
    const { status, body } = await notify(request);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(body.error.message).toMatch(message);
    expect(await published()).toEqual([]);
  });

  test.each([
    ['cancelled', ['cancelled']],
    ['collected', ['preparing', 'ready', 'collected']],
  ])('for an order that is %s', async (_, steps) => {
    const { id, staff, notify, published } = await orderToDelay();
    for (const step of steps) await staff.advance(id, step);
    const { status, body } = await notify({ delayMinutes: 5 });
    expect([status, body.error.code, await published()]).toEqual([409, 'ORDER_TERMINAL', []]);
  });

  test('for an order that is unpaid, expired, of another store or unknown', async () => {
    const { body: unpaid } = await customer(running).create(store);
    const notify = async (id: string, at = store) => {
      const { status, body } = await worker(running, at).call('POST', `/api/v1/orders/${id}/notify-delay`, {
        store_id: at.id,
        delayMinutes: 5,
      });
      return [status, body.error.code];
    };
    expect(await notify(unpaid.order_id)).toEqual([409, 'ORDER_NOT_PAID']);
    await expireOverdue(running);
    expect(await notify(unpaid.order_id)).toEqual([409, 'ORDER_TERMINAL']);
    const { id } = await orderToDelay();
    expect(await notify(id, await running.openStore())).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(await notify(randomUUID())).toEqual([404, 'ORDER_NOT_FOUND']);
  });

  test('from a customer', async () => {
    const { id } = await orderToDelay();
    const { status, body } = await customer(running).call('POST', `/api/v1/orders/${id}/notify-delay`, {
      store_id: store.id,
      delayMinutes: 5,
    });
    expect([status, body.error.code]).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

describe('a pending notice', () => {
  beforeAll(async () => {
    store = await running.openStore();
  });

  const sendPending = () => sendPendingDelayNotices(running.service.context);

  async function owed() {
    const order = await lateOrder(running, store);
    const first = await order.notify({ delayMinutes: 5 });
    await order.notify({ delayMinutes: 10 });
    const last = await order.notify({ delayMinutes: 20, note: 'Sorry.' });
    return { ...order, first: first.body.newEta as string, last: last.body.newEta as string };
  }

  test('a pending notice is sent when the minute is over, once even by two concurrent jobs, with the newest time and note', async () => {
    const { id, published, first, last } = await owed();
    running.clock.advance({ seconds: 59 });
    await sendPending();
    expect(await published()).toHaveLength(1);
    running.clock.advance({ seconds: 1 });
    // Detached from the transaction that holds the lock, as if each ran on its own.
    const run = AsyncResource.bind(sendPending);
    await runConcurrently(running, id, run, run);
    expect((await published()).map(({ new_eta, note }) => [Date.parse(new_eta), note])).toEqual([
      [Date.parse(first), null],
      [Date.parse(last), 'Sorry.'],
    ]);
  });

  test('after a pending notice was sent nothing is pending, and a new minute begins', async () => {
    const { notify, published, last } = await owed();
    running.clock.advance({ minutes: 1 });
    await sendPending();
    expect((await notify({ delayMinutes: 20, note: 'Sorry.' })).body).toMatchObject({ newEta: last, channel_detail: 'deduplicated' });
    running.clock.advance({ minutes: 1 });
    await sendPending();
    expect(await published()).toHaveLength(2);
    await notify({ delayMinutes: 5 });
    expect(await published()).toHaveLength(3);
  });

  test('a repeat of a pending notice adds nothing, even when its minute is over', async () => {
    const { notify, published, last } = await owed();
    running.clock.advance({ seconds: 61 });
    const { body } = await notify({ delayMinutes: 20, note: 'Sorry.' });
    expect(body).toEqual({ ok: true, newEta: last, notified: 'none', channel_detail: 'deduplicated' });
    await sendPending();
    expect(await published()).toHaveLength(2);
  });

  test('a new notice after the minute is sent at once and replaces the pending one', async () => {
    const { notify, published } = await owed();
    running.clock.advance({ seconds: 61 });
    const { body } = await notify({ delayMinutes: 3 });
    await sendPending();
    running.clock.advance({ minutes: 1 });
    await sendPending();
    expect((await published()).slice(1)).toEqual([expect.objectContaining({ new_eta: body.newEta, note: null })]);
  });

  test.each([
    ['cancelled', ['cancelled']],
    ['collected', ['preparing', 'ready', 'collected']],
  ])('a pending notice is dropped when its order is %s meanwhile', async (_, steps) => {
    const { id, staff, published } = await owed();
    for (const step of steps) expect((await staff.advance(id, step)).status).toBe(200);
    running.clock.advance({ minutes: 1 });
    await sendPending();
    expect(await published()).toHaveLength(1);
  });
});

async function lateOrder(running: Running, store: OpenStore, sub?: string) {
  const { order_id } = await customer(running, sub).paid(store, { order_type: 'collect', collection_mode: 'now' });
  const id: string = order_id;
  const staff = worker(running, store);
  return {
    id,
    staff,
    notify: async (request: Record<string, unknown>): Promise<ApiResponse> =>
      await staff.call('POST', `/api/v1/orders/${id}/notify-delay`, { store_id: store.id, ...request }),
    published: async () => (await eventsOf(running, id)).filter(({ type }) => type === 'order.running_late').map(({ data }) => data),
    row: async () =>
      await running.service.database.oneFirst(sql.type(z.object({ row: z.record(z.string(), z.any()) }))`
        select to_jsonb(o) as row from orders o where id = ${id}`),
  };
}

interface Notifications extends AsyncDisposable {
  readonly calls: RpcInput<typeof reachCustomer>[];
}

/** Replies for notifications on the service's broker, until disposed. Without a channel it never replies. */
async function startNotifications({ service }: Running, channel: 'push' | 'email' | 'none' | null): Promise<Notifications> {
  const { broker } = await service.backbone;
  const calls: RpcInput<typeof reachCustomer>[] = [];
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(reachCustomer)), {
    callback: (_error, message) => {
      calls.push(message.json());
      if (channel) message.respond(JSON.stringify({ output: { channel } }));
    },
  });
  await broker.connection.flush();
  return { calls, [Symbol.asyncDispose]: () => subscription.drain() };
}
