import { publish, type Transaction } from '@corner/chassis';
import { customerSeen } from '@corner/contracts';
import { insertCustomerSeen } from '../tables/customers-seen.ts';

/** Publishes that a customer has a place in a store's queue for the first time. Later places publish nothing. */
export async function publishCustomerSeen(tx: Transaction, storeId: string, customerId: string): Promise<void> {
  if (!(await insertCustomerSeen(tx, { storeId, customerId, at: tx.now }))) return;
  await publish(tx, customerSeen, {
    aggregateId: `${storeId}:${customerId}`,
    sequence: 1,
    storeId,
    customerId,
    data: { customer_id: customerId, store_id: storeId },
  });
}
