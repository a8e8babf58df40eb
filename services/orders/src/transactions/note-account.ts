import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { storeAccountChanged } from '@corner/contracts';
import type { ProviderAccount } from '../rules/provider-account.ts';
import { lockRestrictedStores, writeAccount } from '../tables/store-accounts.ts';

/**
 * Notes the state of an account at the payment provider for every store that names it. A restriction that begins, ends or has other
 * reasons is published; a repeat changes nothing.
 */
export async function noteAccount(tx: Transaction, account: ProviderAccount): Promise<void> {
  const restricted = new Set(await lockRestrictedStores(tx, account.id));
  const changed = await writeAccount(tx, account);
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
