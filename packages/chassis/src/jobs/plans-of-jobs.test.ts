import { refuseWholeScans, testDatabase } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { openDatabase } from '../database/database.ts';
import { digestProcessed } from '../inbox/digest-processed.ts';
import { movePosition, readCompleteness, takeUpPosition } from '../inbox/position.ts';
import { digestEvents, readEvents } from '../outbox/numbered-events.ts';
import { claimDueJobs, registerJobs } from './claim-due-jobs.ts';
import { housekeeping } from './housekeeping.ts';

test('what every service does at times of its own finds its rows by an index, however large the tables', async () => {
  await using tables = await testDatabase('orders');
  const prepared = new Map<string, string>();
  const watch = (text: string, name: string | undefined) => void (name && prepared.set(text, name));
  await using database = await openDatabase({ url: tables.url, watch });
  const jobs = [{ name: 'housekeeping', everySeconds: 600 }];
  await registerJobs(database, jobs);
  expect((await claimDueJobs(database, jobs)).get('housekeeping')).toMatchObject({ claimed: false });
  await housekeeping(database, ['store_log_entry']).run(undefined);
  const lease = await database.oneFirst(sql.type(z.object({ token: z.string() }))`select token from consumer_lease`);
  const owner = { database, producer: 'loyalty', lease } as const;
  await takeUpPosition(owner);
  await movePosition(owner, { upTo: 1, numbers: [1] }, { incarnations: [], last: 0, missing: 0, missing_since: null, clean: true });
  await readCompleteness(database);
  expect([...prepared.values()].sort()).toEqual([
    'claim-jobs',
    'move-position',
    'numbers-ahead',
    'prune-changes',
    'prune-idempotency-keys',
    'prune-inbox',
    'prune-inbox-without-number',
    'prune-outbox',
    'prune-refusals',
    'prune-relay-batches',
    'prune-replayed-events',
    'prune-store_log_entry',
    'read-completeness',
    'register-jobs',
    'take-up-position',
  ]);
  await refuseWholeScans(tables, 'orders', prepared);
});

test('what an operator and a consumer ask a service about numbered events is found by an index, however large the tables', async () => {
  await using tables = await testDatabase('orders');
  const prepared = new Map<string, string>();
  const watch = (text: string, name: string | undefined) => void (name && prepared.set(text, name));
  await using database = await openDatabase({ url: tables.url, watch });
  const Snapshot = z.object({ snapshot: z.string() });
  const before = await database.oneFirst(sql.type(Snapshot)`select pg_current_snapshot()::text as snapshot`);
  await database.query(sql.type(z.object({}))`
    insert into outbox (type, version, aggregate_id, aggregate_sequence, data) values ('order.paid', 1, 'one', 1, '{}')`);
  await database.query(sql.type(z.object({}))`
    insert into relay_batch (first_number, size, snapshot_before, snapshot_after, epoch)
    values (1, 1, ${before}::pg_snapshot, pg_current_snapshot(), 1)`);
  await database.query(sql.type(z.object({}))`update relay_state set last_number = 1`);
  const { ranges } = await digestEvents(database, 1);
  expect(ranges).toMatchObject([{ from: 1, to: 1, count: 1 }]);
  await readEvents(database, 'orders', { from: 2, to: null });
  await readEvents(database, 'orders', { from: 1, to: 1 }).catch(() => null);
  expect((await digestProcessed(database, 'loyalty', ranges)).ranges).toMatchObject([{ from: 1, to: 1, count: 0 }]);
  expect([...prepared.values()].sort()).toEqual([
    'complete-up-to',
    'digest-events',
    'digest-processed',
    'first-kept-number',
    'read-events',
    'read-numbering',
  ]);
  await refuseWholeScans(tables, 'orders', prepared);
});
