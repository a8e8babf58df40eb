import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { storeAccountChanged } from '@corner/contracts';
import type { ProviderAccount } from '../rules/provider-account.ts';
import { lockRestrictedStores, writeAccount } from '../tables/store-accounts.ts';

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
