import { randomUUID } from 'node:crypto';
import { pollsOf, tablesWithoutNotes } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { type Running, startRunning } from './testing/running.ts';
import { openSalon, type Salon } from './testing/salon.ts';

let running: Running;
let salon: Salon;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T10:00:00Z');
  salon = await openSalon(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const tokenOf = (customerId: string) => running.issuer.token({ typ: 'customer', sub: customerId });

async function openPolls() {
  const [ana, bo] = [await tokenOf(randomUUID()), await tokenOf(randomUUID())];
  const guest = (await salon.join({ guest_name: 'Dee' })).body.entry_id as string;
  for (const token of [ana, bo]) await salon.join({}, token);
  const own = `/api/v1/queue/status?store_id=${salon.storeId}`;
  const store = `/api/v1/queue/stores/${salon.storeId}`;
  return pollsOf(running.service.url, [
    { path: own, token: ana },
    { path: own, token: bo },
    { path: `/api/v1/queue/status?entry_id=${guest}`, token: null },
    { path: store, token: null },
    { path: store, token: ana },
  ]);
}

describe('a poll with the tag of a reply', () => {
  test('sends no statement while nothing changes, and reads the reply again after half a minute', async () => {
    const polls = await openPolls();
    await polls.faults();
    await polls.statuses();
    const before = running.statements.length;
    expect(await polls.statuses()).toEqual([304, 304, 304, 304, 304]);
    expect(running.statements.length).toBe(before);
    running.clock.set('2026-05-01T10:00:30Z');
    await polls.statuses();
    expect(running.statements.length).toBeGreaterThan(before);
  });

  test('gets 304 exactly while the reply is the same, whatever others change, in whatever order', async () => {
    const admin = new pg.Client({ connectionString: running.environment.DATABASE_URL });
    await admin.connect();
    const guests: string[] = [];
    const changes: readonly (() => Promise<unknown>)[] = [
      async () => guests.push((await salon.join({ guest_name: 'Flo' })).body.entry_id),
      async () => guests.length > 0 && (await salon.leave(guests.pop() ?? '')),
      () => salon.switchWalkIns({ store_id: salon.storeId, open: false }),
      () => salon.switchWalkIns({ store_id: salon.storeId, open: true }),
      () => salon.setStore({ called_hold_minutes: 7 }),
      () => salon.book('2026-05-01T10:30:00Z', '2026-05-01T11:30:00Z', { id: randomUUID() }),
      // A change made by another process.
      () => admin.query('update entry set party_size = party_size % 8 + 1 where store_id = $1', [salon.storeId]),
      () => admin.query(`update floor set services = jsonb_set(services, '{0,name}', to_jsonb(clock_timestamp()::text))`),
      async () => running.clock.set(new Date(running.clock.now().getTime() + 30_000).toISOString()),
      async () => {},
    ];
    const nth = fc.nat(changes.length - 1);
    await fc.assert(
      fc.asyncProperty(fc.array(nth, { minLength: 6, maxLength: 12 }), async (order) => {
        running.clock.set('2026-05-01T10:00:00Z');
        salon = await openSalon(running);
        const polls = await openPolls();
        await polls.faults();
        for (const change of order) {
          await changes[change]?.();
          expect([order, await polls.faults()]).toEqual([order, []]);
        }
      }),
      { numRuns: 3 },
    );
    await admin.end();
  });

  test('is refused once its token has expired, and gets nothing by the tag of another person’s reply', async () => {
    const [ana, bo] = [await tokenOf(randomUUID()), await tokenOf(randomUUID())];
    for (const token of [ana, bo]) await salon.join({}, token);
    const url = `${running.service.url}/api/v1/queue/status?store_id=${salon.storeId}`;
    const poll = (token: string, tag: string) => fetch(url, { headers: { authorization: `Bearer ${token}`, 'if-none-match': tag } });
    const tag = (await poll(ana, '"none"')).headers.get('etag') ?? '';
    expect((await poll(ana, tag)).status).toBe(304);
    expect((await poll(bo, tag)).status).toBe(200);
    running.clock.set('2026-05-03T10:00:00Z');
    expect((await poll(ana, tag)).status).toBe(401);
  });
});

test('every table that the polled reads are made of notes its changes', async () => {
  const polls = await openPolls();
  const before = running.statements.length;
  await polls.faults();
  expect(await tablesWithoutNotes(running.environment.DATABASE_URL ?? '', running.statements.slice(before))).toEqual([]);
});
