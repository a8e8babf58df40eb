import { outboxEntry, publish, publishAll, type Transaction } from '@corner/chassis';
import { type ProviderMode, storeAccountChanged, storeAccountConnected, storeOrdersRefused } from '@corner/contracts';
import { endCall, type ProviderCall } from '../provider/tables.ts';
import type { ProviderAccount } from './rules.ts';
import { describeAccount, lockRestrictedStores, takeRefusingStores, writeAccount, writeOpenedAccount } from './tables.ts';

/**
 * Stores the account that the provider opened for a store, with the end of the attempt. Returns the store's account: one that was stored
 * before stays.
 */
export async function recordOpened(
  tx: Transaction,
  { storeId, mode, accountId, call }: { storeId: string; mode: ProviderMode; accountId: string; call: ProviderCall },
): Promise<string> {
  if (call.state !== 'done') await endCall(tx, call, { state: 'done', providerId: accountId }, tx.now);
  return await writeOpenedAccount(tx, storeId, mode, accountId);
}

/**
 * Records the state that an account had at `askedAt`, for every store that names it. Publishes a restriction that begins, ends or changes
 * its reasons, and that an account opened for a store can be paid for the first time. A repeat, or a state older than the stored one,
 * changes nothing. Lock order: the account, then the states of its stores.
 */
export async function recordAccount(tx: Transaction, account: ProviderAccount, mode: ProviderMode, askedAt: Date): Promise<void> {
  const described = await describeAccount(tx, account, mode, askedAt);
  if (described?.connected_now && described.store_id !== null) {
    const { store_id: storeId, named: replaces } = described;
    const at = tx.now.toISOString();
    const data = { store_id: storeId, account_id: account.id, replaces, mode, at };
    await publish(tx, storeAccountConnected, { aggregateId: account.id, sequence: 1, storeId, data });
  }
  const restricted = new Set(await lockRestrictedStores(tx, account.id));
  const changed = await writeAccount(tx, account, askedAt);
  await publishAll(
    tx,
    changed
      .filter(({ store_id, accepts_orders }) => !accepts_orders || restricted.has(store_id))
      .map(({ store_id: storeId, version, accepts_orders, reasons }) =>
        outboxEntry(storeAccountChanged, {
          aggregateId: storeId,
          sequence: version,
          storeId,
          data: { store_id: storeId, accepts_orders, reasons, at: tx.now.toISOString() },
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
