import { randomUUID } from 'node:crypto';
import { directoryCustomer } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { tellOwedDelays } from '../schedules/tell-owed-delays.ts';
import { keepContact } from '../tables/delay-notices.ts';
import { type Answered, customer, worker } from '../under-test/callers.ts';
import { logOf, toldOf } from '../under-test/rows.ts';
import { type OpenStore, type Running, startRunning } from '../under-test/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({ time_zone: 'Europe/Paris' });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** A paid order to collect and whoever is late with it. */
async function underWay(sub: string = randomUUID()) {
  const { order_id } = await customer(running, sub).paid(store, { order_type: 'collect', collection_mode: 'now' });
  const staff = worker(running, store);
  const late = async (wish: Record<string, unknown>): Promise<Answered> =>
    await staff.call('POST', `/api/v1/orders/${order_id}/notify-delay`, { store_id: store.id, ...wish });
  const told = async () => (await toldOf(running, order_id)).filter(({ type }) => type === 'order.running_late').map(({ data }) => data);
  const times = async () =>
    await running.service.database.one(sql.type(
      z.object({ eta: z.string(), revised: z.string().nullable(), ready: z.string().nullable() }),
    )`
      select requested_collection_at as eta, revised_ready_at as revised, ready_at as ready from orders where id = ${order_id}`);
  return { order_id, staff, late, told, times };
}

const minutesAfter = (from: string | number | Date, minutes: number) => new Date(new Date(from).getTime() + minutes * 60_000).toISOString();
const contact = async (has: Record<string, unknown>) => {
  const id = randomUUID();
  await keepContact(running.service.database, directoryCustomer.data.parse({ version: 1, id, ...has }));
  return id;
};

describe('a delay', () => {
  test('adds to the time expected, stands beside booked and actual time, and is told with its note', async () => {
    const { order_id, late, told, times } = await underWay();
    const { eta } = await times();
    const { status, body } = await late({ delayMinutes: 10, note: 'The oven is slow.' });
    const expected = minutesAfter(eta, 10);
    expect([status, body]).toEqual([200, { ok: true, newEta: expected, notified: 'none' }]);
    expect(await told()).toEqual([expect.objectContaining({ order_id, new_eta: expected, note: 'The oven is slow.' })]);
    const now = await times();
    expect([new Date(now.eta), now.ready]).toEqual([new Date(eta), null]);
    const { body: log } = await worker(running, store).call('GET', `/api/v1/orders/${order_id}/log`);
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

  test('of an order whose time has passed counts from now', async () => {
    const { late } = await underWay();
    running.clock.advance({ hours: 1 });
    const { body } = await late({ delayMinutes: 5 });
    expect(body.newEta).toBe(minutesAfter(running.clock.now(), 5));
  });

  test('names a time rather than minutes when both are given', async () => {
    const { late } = await underWay();
    const newReadyAt = minutesAfter(running.clock.now(), 90);
    const { body } = await late({ delayMinutes: 5, newReadyAt });
    expect(body.newEta).toBe(newReadyAt);
  });

  test.each([
    ['push', { push_devices: [{ id: 'd1', platform: 'ios' }], email: 'ada@example.test' }],
    ['email', { email: 'ada@example.test' }],
    ['none', {}],
  ])('reaches the customer by %s', async (by, has) => {
    const { late } = await underWay(await contact(has));
    expect((await late({ delayMinutes: 5 })).body.notified).toBe(by);
  });
});

describe('within a minute of the last', () => {
  test('the same notice is a double tap, also twenty at once', async () => {
    const { order_id, late, told } = await underWay();
    const answers = await Promise.all(Array.from({ length: 20 }, () => late({ delayMinutes: 7 })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.newEta}`)).size).toBe(1);
    expect(answers.filter(({ body }) => body.channel_detail === 'deduplicated')).toHaveLength(19);
    expect(await told()).toHaveLength(1);
    expect((await logOf(running, order_id)).filter((kind) => kind === 'running_late')).toHaveLength(1);
  });

  test('others change the time and are told once, at its end, with the newest', async () => {
    const { late, told } = await underWay();
    const first = await late({ delayMinutes: 5 });
    const second = await late({ delayMinutes: 10 });
    const third = await late({ delayMinutes: 20, note: 'Sorry.' });
    expect([second.body.notified, third.body.notified]).toEqual(['none', 'none']);
    expect(third.body.newEta).toBe(minutesAfter(first.body.newEta, 30));
    await tellOwedDelays(running.service.context);
    expect(await told()).toHaveLength(1);
    running.clock.advance({ minutes: 1 });
    await Promise.all([tellOwedDelays(running.service.context), tellOwedDelays(running.service.context)]);
    expect((await told()).map(({ new_eta, note }) => [Date.parse(new_eta), note])).toEqual([
      [Date.parse(first.body.newEta), null],
      [Date.parse(third.body.newEta), 'Sorry.'],
    ]);
  });

  test('what is owed to an order that has ended is never told', async () => {
    const { order_id, staff, late, told } = await underWay();
    await late({ delayMinutes: 5 });
    await late({ delayMinutes: 10 });
    await staff.advance(order_id, 'cancelled');
    running.clock.advance({ minutes: 1 });
    await tellOwedDelays(running.service.context);
    expect(await told()).toHaveLength(1);
  });
});

test('after a minute the same notice adds and is told again', async () => {
  const { late, told } = await underWay();
  const first = await late({ delayMinutes: 5 });
  running.clock.advance({ minutes: 1 });
  const second = await late({ delayMinutes: 5 });
  expect(Date.parse(second.body.newEta)).toBeGreaterThan(Date.parse(first.body.newEta));
  expect(await told()).toHaveLength(2);
});

describe('is refused', () => {
  test.each([
    ['without minutes and without a time', {}, 'INVALID_ETA', /delayMinutes.*newReadyAt/],
    ['for a time that has passed', { newReadyAt: '2020-01-01T00:00:00Z' }, 'INVALID_ETA', /newReadyAt/],
    ['for the day after tomorrow', { newReadyAt: '2999-01-01T00:00:00Z' }, 'INVALID_ETA', /newReadyAt.*24 hours/],
    ['for no minutes', { delayMinutes: 0 }, 'VALIDATION_FAILED', /delayMinutes/],
    ['for more than eight hours', { delayMinutes: 481 }, 'VALIDATION_FAILED', /delayMinutes/],
  ])('%s', async (_, wish, code, message) => {
    const { late, told } = await underWay();
    const { status, body } = await late(wish);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(body.error.message).toMatch(message);
    expect(await told()).toEqual([]);
  });

  test('for an order that is not paid, has ended, or is another store’s', async () => {
    const { body: unpaid } = await customer(running).create(store);
    const staff = worker(running, store);
    const late = (id: string, by = staff, at = store) =>
      by.call('POST', `/api/v1/orders/${id}/notify-delay`, { store_id: at.id, delayMinutes: 5 });
    expect((await late(unpaid.order_id)).body.error.code).toBe('ORDER_NOT_PAID');
    const { order_id } = await underWay();
    await staff.advance(order_id, 'cancelled');
    expect((await late(order_id)).body.error.code).toBe('ORDER_TERMINAL');
    const other = await running.openStore();
    const { order_id: ours } = await underWay();
    const foreign = await late(ours, worker(running, other), other);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  });

  test('to a customer', async () => {
    const { order_id } = await underWay();
    const { status, body } = await customer(running).call('POST', `/api/v1/orders/${order_id}/notify-delay`, {
      store_id: store.id,
      delayMinutes: 5,
    });
    expect([status, body.error.code]).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});
