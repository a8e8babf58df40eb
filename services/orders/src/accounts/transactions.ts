import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { storeAccountChanged, storeOrdersRefused } from '@corner/contracts';
import type { ProviderAccount } from './rules.ts';
import { lockRestrictedStores, takeRefusingStores, writeAccount } from './tables.ts';

/**
 * Records the state that an account had at `askedAt` for every store that names it. A restriction that begins, ends or changes its reasons is
 * published; a repeat, or a state older than the stored one, changes nothing.
 */
export async function recordAccount(tx: Transaction, account: ProviderAccount, askedAt: Date): Promise<void> {
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

/** Publishes how many orders each store refused because its account is restricted, at most once an hour. */
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
