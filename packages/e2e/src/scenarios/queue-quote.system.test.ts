import { randomUUID } from 'node:crypto';
import { createClient } from '@corner/client';
import { demoDirectory, people, stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { publishDirectory } from '../testing/own-store.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
const store_id = randomUUID();

beforeAll(async () => {
  environment = await sharedEnvironment();
  const demo = demoDirectory(new Date()) as Record<'stores' | 'floors', readonly Record<string, unknown>[]>;
  const floor = demo.floors[0] as { readonly units: readonly Record<string, unknown>[] };
  const hour = 3_600_000;
  const shifts = [{ starts_at: new Date(Date.now() - hour).toISOString(), ends_at: new Date(Date.now() + 12 * hour).toISOString() }];
  const content = {
    stores: [{ ...demo.stores.find(({ id }) => id === stores.cuts.id), id: store_id, code: store_id.slice(0, 8) }],
    floors: [{ ...floor, store_id, units: [{ ...floor.units[0], id: randomUUID(), shifts }] }],
  };
  await publishDirectory(environment.system, content);
});

const clientOf = (claims: Parameters<TestEnvironment['system']['tokens']['token']>[0]) =>
  createClient({ baseUrl: environment.system.gatewayUrl, token: () => environment.system.tokens.token(claims) });

test('a guest joins with the wait and the spread that were read before, and each party that is seated counts for the next', async () => {
  const guest = createClient({ baseUrl: environment.system.gatewayUrl });
  const staff = clientOf({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [store_id] });
  const ofStore = { params: { path: { store_id } } };
  const read = () => guest.GET('/api/v1/queue/stores/{store_id}', ofStore);
  await until(async () => ((await read().catch(() => null))?.data.services.length ?? 0) > 0, { describe: 'the queue of the store' });
  const join = async () => (await guest.POST('/api/v1/queue/join', { body: { store_id, guest_name: 'Dee' } })).data;
  const seat = async (entry_id: string, ...moves: readonly ('assign' | 'complete')[]) => {
    for (const move of moves)
      await staff.POST(`/api/v1/queue/entries/{entry_id}/${move}`, { params: { path: { entry_id } }, body: { store_id } });
  };

  for (let quotes = 0; quotes < 20; quotes += 1) {
    const { data } = await read();
    expect([data.quotes, data.kept_percent, data.services[0]?.wait_min, data.services[0]?.wait_range]).toEqual([quotes, null, 0, null]);
    const { entry_id, wait_range } = await join();
    expect(wait_range).toBe(null);
    await seat(entry_id, 'assign', 'complete');
  }
  const kept = (await read()).data;
  expect(kept).toMatchObject({ quotes: 20, kept_percent: 100 });
  expect(kept.services[0]).toMatchObject({ wait_min: 0, wait_range: { from_min: expect.any(Number) } });

  const sitting = await join();
  await seat(sitting.entry_id, 'assign');
  const before = (await read()).data;
  const joined = await join();
  expect(before.services[0]).toMatchObject({ wait_min: joined.expected_wait_min, wait_range: joined.wait_range });
  expect(joined).toMatchObject({ reused: false, wait_range: { from_min: expect.any(Number) } });
  const query = { params: { query: { entry_id: joined.entry_id } } };
  const place = await guest.GET('/api/v1/queue/status', query);
  expect(place.data.entry).toMatchObject({ quoted_wait_min: joined.expected_wait_min, wait_range: joined.wait_range });

  // A response that differs in its seconds alone is not sent again.
  const same = await until(
    async () => {
      const [place, queue] = [await guest.GET('/api/v1/queue/status', query), await read()];
      const again = [
        await guest.GET('/api/v1/queue/status', { ...query, previous: place }),
        await guest.GET('/api/v1/queue/stores/{store_id}', { ...ofStore, previous: queue }),
      ];
      return again.every(({ response }) => response.status === 304);
    },
    { describe: 'two reads in one minute' },
  );
  expect(same).toBe(true);
});
