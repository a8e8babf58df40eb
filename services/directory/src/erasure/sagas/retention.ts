import { RpcUnavailable } from '@corner/chassis';
import { readLastVisits } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { findUnseen, unseenPage } from '../tables/retention.ts';
import { eraseCustomer } from '../transactions.ts';

/**
 * Erases customers who have not visited any store for the retention years, and did nothing here meanwhile. Without the setting it does
 * nothing. While loyalty, which knows the visits, does not answer, no one is erased; the next run begins again.
 */
export async function eraseUnseen(context: Context): Promise<void> {
  const { retentionYears, database, log, now, newReceipt } = context;
  if (retentionYears === null) return;
  const since = new Date(now());
  since.setUTCFullYear(since.getUTCFullYear() - retentionYears);
  for (let after: string | null = null, full = true; full; ) {
    const page: Awaited<ReturnType<typeof findUnseen>> = await findUnseen(database, { since, after });
    const visited = await visitedSince(context, page, since);
    if (!visited) return;
    for (const { id } of page.filter((customer) => !visited.has(customer.id)))
      await database.transaction(async (tx) => {
        // They may have come back meanwhile.
        if ((await findUnseen(tx, { since, only: id })).length === 0) return;
        const wanted = { customerId: id, receipt: newReceipt(), requestedBy: 'retention', byId: null, storeId: null } as const;
        await eraseCustomer(tx, wanted);
        log.info({ customer_id: id }, 'a customer who has not visited for the years of retention is erased');
      });
    after = page.at(-1)?.id ?? null;
    full = page.length === unseenPage;
  }
}

async function visitedSince(
  { call, log }: Context,
  customers: readonly { readonly id: string }[],
  since: Date,
): Promise<ReadonlySet<string> | null> {
  if (customers.length === 0) return new Set();
  try {
    const { visits } = await call(readLastVisits, { customer_ids: customers.map(({ id }) => id) });
    return new Set(visits.filter(({ at }) => new Date(at) >= since).map(({ customer_id }) => customer_id));
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    log.warn({ err: error }, 'loyalty does not say who has visited: no one is erased for now');
    return null;
  }
}
