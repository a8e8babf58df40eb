import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { storeOrdersRefused } from '@corner/contracts';
import { takeRefusingStores } from '../tables/store-accounts.ts';

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
