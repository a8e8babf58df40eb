import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { saveCustomer } from '../card/tables/directory.ts';
import type { Context } from '../context.ts';
import { dueAt } from './rules.ts';
import { findDueMemberships } from './tables.ts';
import { applyMemberships, applyTime } from './transactions.ts';

/** Publishes which memberships begin, go on and end with a customer's snapshot, and stamps each period once. */
export const projectCustomer = on(directoryCustomer, async ({ data }, tx) => {
  const first = await saveCustomer(tx, data);
  if (first !== null) await applyMemberships(tx, data, first);
});

const batchSize = 200;

export async function announceMemberships({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  for (;;) {
    const due = await findDueMemberships(database, dueAt(now().getTime()), batchSize);
    for (const key of due) await database.transaction((tx) => applyTime(tx, key));
    if (due.length < batchSize) return;
  }
}
