import { randomUUID } from 'node:crypto';
import type { Envelope } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../../testing/running.ts';
import { customerSnapshot, paid, seen, storeSnapshot } from '../testing/directory-events.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function tellInTurn(...envelopes: readonly Envelope[]): Promise<void> {
  for (const envelope of envelopes) {
    await running.publish(envelope);
    await running.processed(envelope);
  }
}

/** Tells the events in this order, each worked through before the next, and the whole series a second time. */
async function tellTwice(envelopes: readonly Envelope[]): Promise<void> {
  await tellInTurn(...envelopes);
  const after = { ...(envelopes.at(-1) as Envelope), id: randomUUID() };
  for (const envelope of [...envelopes, after]) await running.publish(envelope);
  // Events of one aggregate are worked through one after another: what stands behind the repeats comes after them.
  await running.processed(after);
}

const orders = [
  ['in order', [1, 2, 3]],
  ['in reverse', [3, 2, 1]],
  ['mixed', [2, 3, 1]],
] as const;

describe.each(orders)('snapshots that come %s, and all of them again', (_, versions) => {
  test('leave the newest store', async () => {
    const id = randomUUID();
    await tellTwice(versions.map((version) => storeSnapshot(id, version)));
    const Kept = z.object({ version: z.number(), name: z.string() });
    expect(await running.service.database.many(sql.type(Kept)`select version, name from store where id = ${id}`)).toEqual([
      { version: 3, name: 'Version 3' },
    ]);
  });

  test('leave the newest customer', async () => {
    const id = randomUUID();
    await tellTwice(versions.map((version) => customerSnapshot(id, version)));
    const Kept = z.object({ version: z.number(), name: z.string(), email: z.string(), devices: z.number() });
    expect(
      await running.service.database.many(sql.type(Kept)`
        select version, name, email, jsonb_array_length(push_devices) as devices from customer where id = ${id}`),
    ).toEqual([{ version: 3, name: 'Version 3', email: 'version.3@example.test', devices: 3 }]);
  });
});

const Dealing = z.object({ store_id: z.string(), first: z.string(), last: z.string() });
const dealingsOf = (customerId: string) =>
  running.service.database.any(sql.type(Dealing)`
    select store_id, to_char(first_at at time zone 'utc', 'HH24:MI') as first, to_char(last_at at time zone 'utc', 'HH24:MI') as last
    from interaction
    where customer_id = ${customerId}
    order by first_at`);

describe('a customer’s dealings with a store', () => {
  const [noon, one, two] = ['2026-05-01T12:00:00Z', '2026-05-01T13:00:00Z', '2026-05-01T14:00:00Z'] as const;

  test.each(['orders', 'loyalty', 'queue'] as const)('are noted when %s has met the customer', async (producer) => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await tellInTurn(seen(customerId, storeId, noon, producer));
    expect(await dealingsOf(customerId)).toEqual([{ store_id: storeId, first: '12:00', last: '12:00' }]);
  });

  test('are noted when an order is paid', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await tellInTurn(paid(customerId, storeId, noon));
    expect(await dealingsOf(customerId)).toEqual([{ store_id: storeId, first: '12:00', last: '12:00' }]);
  });

  test('make one row a store, whatever the order the news comes in and however often', async () => {
    const [customerId, storeId, elsewhere] = [randomUUID(), randomUUID(), randomUUID()];
    const news = [paid(customerId, storeId, two), seen(customerId, storeId, noon), paid(customerId, storeId, one)];
    await tellInTurn(...news);
    for (const envelope of news) await running.publish(envelope);
    await tellInTurn(paid(customerId, elsewhere, two), { ...seen(customerId, elsewhere, two) });
    expect(await dealingsOf(customerId)).toEqual([
      { store_id: storeId, first: '12:00', last: '14:00' },
      { store_id: elsewhere, first: '14:00', last: '14:00' },
    ]);
  });
});

test('an event delivered again has its effect once', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  const event = seen(customerId, storeId, '2026-05-01T12:00:00Z');
  await tellInTurn(event);
  // Only a second effect could bring this back.
  await running.service.database.query(sql.type(z.object({}))`delete from interaction where customer_id = ${customerId}`);
  const after = seen(customerId, randomUUID(), '2026-05-01T12:00:00Z');
  await running.publish(event);
  await tellInTurn(after);
  expect((await dealingsOf(customerId)).map(({ store_id }) => store_id)).toEqual([after.storeid]);
});

test('no line that is logged names a customer', async () => {
  const id = randomUUID();
  await tellInTurn(customerSnapshot(id, 7));
  expect(JSON.stringify(running.lines)).not.toContain('version.7@example.test');
  expect(JSON.stringify(running.lines)).not.toContain('Version 7');
});
