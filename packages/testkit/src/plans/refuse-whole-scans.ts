import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import type { TestDatabase } from '../test-database.ts';
import { currentTestRun } from '../test-run.ts';
import { type PlannedScan, planStatements, type Statements } from './plan-statements.ts';

/**
 * Plans the statements that no other test of this run has planned. Throws, with their names, at a whole scan that {@link allowedScans}
 * lacks.
 */
export async function refuseWholeScans(database: TestDatabase, schema: string, statements: Statements): Promise<void> {
  const fresh = new Map<string, string>();
  for (const [text, name] of statements) if (await isFirst(schema, name, text)) fresh.set(text, name);
  if (fresh.size === 0) return;
  const faults = (await planStatements(database, schema, fresh)).filter((scan) => !isAllowed(scan)).map(({ text }) => text);
  if (faults.length > 0) throw new Error(`Statements of ${schema} read whole tables:\n${faults.join('\n')}\n${hint}`);
}

const hint =
  "A statement about one row that reads all of a partial index hides the condition of that index, as in coalesce(status, '') = 'pending'.";

interface AllowedScans {
  readonly of: readonly string[];
  readonly by?: readonly string[];
  readonly why: string;
}

const allowedScans: readonly AllowedScans[] = [
  { of: ['provider_cursor', 'pass_update_counter', 'relay_state', 'consumer_lease'], why: 'A table of one row, or of three.' },
  {
    of: ['consumer_position', 'consumer_position_pkey', 'consumer_part', 'consumer_part_pkey'],
    why: 'One row for each producer that the service consumes, and for each part.',
  },
  { of: ['relay_batch_pkey'], why: 'Read from its beginning up to the first batch whose events are all kept; those before it are pruned.' },
  { of: ['relay_incarnation_pkey'], why: 'One row for each time that a relay began to number events; all of them are sent to a consumer.' },
  {
    of: ['store_pkey', 'store_account_pkey', 'store_by_account', 'connected_account_pkey'],
    why: 'One row for each store, read by jobs that look at each and when a payment account changes.',
  },
  {
    // A statement about one row hides the index's condition in a coalesce; such an index holds only the changes since the last vacuum.
    of: [
      'orders_unpaid',
      'provider_event_open',
      'ledger_difference_open',
      'dispute_share_due',
      'dispute_open',
      'dead_letter_open',
      'erased_customer_open',
      'erasure_open',
      'stamp_review_unreported',
      'stamp_review_waiting',
      'entry_order',
      'entry_one_place',
      'session_booking_line',
      'session_booking_waits_once',
      'weekly_class_going_on',
    ],
    by: [
      'orders-awaiting-payment',
      'due-provider-events',
      'read-backlog',
      'read-provider-state',
      'open-differences',
      'explain-difference',
      'report-comparison',
      'read-day-of-money',
      'delete-old-messages',
      'open-erasures',
      'select-due-digests',
      'stores-with-overdue-entries',
      'due-lines',
      'stores-with-weekly-classes',
    ],
    why: 'An index of what is still to be done, all of which the statement is about.',
  },
  { of: ['ignored_snapshot', 'ignored_snapshot_pkey'], why: 'One row for each object of the directory that waits for its publisher.' },
  { of: ['pass_device'], why: 'One row for each phone with a pass. Deletes the few whose address the provider says is gone.' },
];

const isAllowed = (scan: PlannedScan): boolean =>
  allowedScans.some(({ of, by }) => of.includes(scan.of) && (by === undefined || by.includes(scan.by)));

async function isFirst(schema: string, name: string, text: string): Promise<boolean> {
  const folder = `${currentTestRun().folder}/planned`;
  await mkdir(folder, { recursive: true });
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return await writeFile(`${folder}/${schema} ${name} ${digest}`, '', { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
}
