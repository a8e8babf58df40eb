import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { storeAccountChanged, storeOrdersRefused } from '@corner/contracts';
import type { ProviderAccount } from './rules.ts';
import { lockRestrictedStores, takeRefusingStores, writeAccount } from './tables.ts';

/**
 * Notes the state of an account at the payment provider for every store that names it, as the provider answered when it was asked at
 * `askedAt`. A restriction that begins, ends or has other reasons is published; a repeat, and the answer to an earlier question than the
 * stored one, change nothing.
 */
export async function noteAccount(tx: Transaction, account: ProviderAccount, askedAt: Date): Promise<void> {
  const restricted = new Set(await lockRestrictedStores(tx, account.id));
  const changed = await writeAccount(tx, account, askedAt);
  await publishAll(
    tx,
    changed
      .filter(({ store_id }) => !account.acceptsOrders || restricted.has(store_id))
      .map(({ store_id: storeId, version }) =>
        outboxEntry(storeAccountChanged, {
          aggregateId: storeId,
          sequence: version,
          storeId,
          data: { store_id: storeId, accepts_orders: account.acceptsOrders, reasons: [...account.reasons], at: tx.now.toISOString() },
        }),
      ),
  );
}

const everyMs = 3_600_000;

/** Publishes for each store how many orders its restricted account made it refuse, at most once an hour. */
export async function reportRefusedOrders(tx: Transaction): Promise<void> {
  const refusing = await takeRefusingStores(tx, new Date(tx.now.getTime() - everyMs));
  await publishAll(
    tx,
    refusing.map(({ store_id: storeId, version, reasons, refused, since }) =>
      outboxEntry(storeOrdersRefused, {
        aggregateId: storeId,
        sequence: version,
        storeId,
        data: { store_id: storeId, refused, since, reasons, at: tx.now.toISOString() },
      }),
    ),
  );
}
