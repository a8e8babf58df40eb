import { randomUUID } from 'node:crypto';
import type { Envelope } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { customerSeenEvent, customerSnapshot, orderPaidEvent, storeSnapshot } from './testing/directory-events.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function publishInOrder(...envelopes: readonly Envelope[]): Promise<void> {
  for (const envelope of envelopes) {
    await running.publish(envelope);
    await running.processed(envelope);
  }
}

/** Publishes events in this order, each processed before the next one, and then all of them again. */
async function publishTwice(envelopes: readonly Envelope[]): Promise<void> {
  await publishInOrder(...envelopes);
  const after = { ...(envelopes.at(-1) as Envelope), id: randomUUID() };
  for (const envelope of [...envelopes, after]) await running.publish(envelope);
  // Events of one aggregate are processed in order, so the last event is processed after the repeats.
  await running.processed(after);
}

const orders = [
  ['in order', [1, 2, 3]],
  ['in reverse', [3, 2, 1]],
  ['mixed', [2, 3, 1]],
] as const;

describe.each(orders)('snapshots that arrive %s, each of them twice', (_, versions) => {
  test('the newest version of the store is stored', async () => {
    const id = randomUUID();
    await publishTwice(versions.map((version) => storeSnapshot(id, version)));
    const Stored = z.object({ version: z.number(), name: z.string() });
    expect(await running.service.database.many(sql.type(Stored)`select version, name from store where id = ${id}`)).toEqual([
      { version: 3, name: 'Version 3' },
    ]);
  });

  test('the newest version of the customer is stored', async () => {
    const id = randomUUID();
    await publishTwice(versions.map((version) => customerSnapshot(id, version)));
    const Stored = z.object({ version: z.number(), name: z.string(), email: z.string(), devices: z.number() });
    expect(
      await running.service.database.many(sql.type(Stored)`
        select version, name, email, jsonb_array_length(push_devices) as devices from customer where id = ${id}`),
    ).toEqual([{ version: 3, name: 'Version 3', email: 'version.3@example.test', devices: 3 }]);
  });
});

const InteractionRow = z.object({ store_id: z.string(), first: z.string(), last: z.string() });
const interactionsOf = (customerId: string) =>
  running.service.database.any(sql.type(InteractionRow)`
    select store_id, to_char(first_at at time zone 'utc', 'HH24:MI') as first, to_char(last_at at time zone 'utc', 'HH24:MI') as last
    from interaction
    where customer_id = ${customerId}
    order by first_at`);

describe('interactions of a customer with a store', () => {
  const [noon, one, two] = ['2026-05-01T12:00:00Z', '2026-05-01T13:00:00Z', '2026-05-01T14:00:00Z'] as const;

  test('an interaction is recorded when loyalty publishes customer.seen', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await publishInOrder(customerSeenEvent(customerId, storeId, noon));
    expect(await interactionsOf(customerId)).toEqual([{ store_id: storeId, first: '12:00', last: '12:00' }]);
  });

  test('an interaction is recorded when an order is paid', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await publishInOrder(orderPaidEvent(customerId, storeId, noon));
    expect(await interactionsOf(customerId)).toEqual([{ store_id: storeId, first: '12:00', last: '12:00' }]);
  });

  test('one row per store has the first and the last interaction, in whatever order and however often events arrive', async () => {
    const [customerId, storeId, elsewhere] = [randomUUID(), randomUUID(), randomUUID()];
    const events = [
      orderPaidEvent(customerId, storeId, two),
      customerSeenEvent(customerId, storeId, noon),
      orderPaidEvent(customerId, storeId, one),
    ];
    await publishInOrder(...events);
    for (const envelope of events) await running.publish(envelope);
    await publishInOrder(orderPaidEvent(customerId, elsewhere, two), { ...customerSeenEvent(customerId, elsewhere, two) });
    expect(await interactionsOf(customerId)).toEqual([
      { store_id: storeId, first: '12:00', last: '14:00' },
      { store_id: elsewhere, first: '14:00', last: '14:00' },
    ]);
  });
});

test('an event that is delivered twice has its effect once', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  const event = customerSeenEvent(customerId, storeId, '2026-05-01T12:00:00Z');
  await publishInOrder(event);
  // Only a second effect could insert the row again.
  await running.service.database.query(sql.type(z.object({}))`delete from interaction where customer_id = ${customerId}`);
  const after = customerSeenEvent(customerId, randomUUID(), '2026-05-01T12:00:00Z');
  await running.publish(event);
  await publishInOrder(after);
  expect((await interactionsOf(customerId)).map(({ store_id }) => store_id)).toEqual([after.storeid]);
});

test('no log line contains a customer’s name or address', async () => {
  const id = randomUUID();
  await publishInOrder(customerSnapshot(id, 7));
  expect(JSON.stringify(running.lines)).not.toContain('version.7@example.test');
  expect(JSON.stringify(running.lines)).not.toContain('Version 7');
});
