import type { Transaction } from '@corner/chassis';
import type { DataOf, paymentDisputed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Entered, enteredReversal, reversalChange } from './order-ledger.ts';

/**
 * Records a dispute over an order's payment, also before the order itself. Of each dispute the event with the highest sequence wins,
 * whatever the order of arrival; an order may have several disputes. Returns whether the order's stamps are to be taken back, and whether
 * they were before. The card is locked.
 */
export async function enterDispute(tx: Transaction, dispute: DataOf<typeof paymentDisputed>, sequence: number): Promise<Entered> {
  const { order_id: orderId, dispute_id: disputeId, state, amount_pence: pence } = dispute;
  await tx.query(sql.prepared('enter-dispute', z.object({}))`
    insert into dispute (order_id, dispute_id, sequence, state, amount_pence)
    values (${orderId}, ${disputeId}, ${sequence}, ${state}, ${pence})
    on conflict (order_id, dispute_id) do update
    set sequence = excluded.sequence, state = excluded.state, amount_pence = excluded.amount_pence
    where dispute.sequence < excluded.sequence`);
  return await tx.one(sql.prepared('enter-disputes-of-order', enteredReversal)`
    insert into order_ledger (order_id, store_id, customer_id, disputed, lost, lost_pence)
    select ${orderId}, ${dispute.store_id}, ${dispute.customer_id}, bool_or(state = 'opened'), bool_or(state = 'lost'),
      coalesce(sum(amount_pence) filter (where state = 'lost'), 0)
    from dispute where order_id = ${orderId}
    on conflict (order_id) do update set disputed = excluded.disputed, lost = excluded.lost, lost_pence = excluded.lost_pence
    returning ${reversalChange}`);
}
