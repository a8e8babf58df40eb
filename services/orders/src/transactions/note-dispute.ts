import { publish, type Transaction } from '@corner/chassis';
import { paymentDisputed } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../rules/order-event.ts';
import { appendLog } from '../tables/log.ts';
import { lockFamily } from '../tables/order-family.ts';
import { writeDispute } from '../tables/order-payments.ts';

export interface Dispute {
  readonly storeId: string;
  readonly orderId: string;
  readonly open: boolean;
}

/** Notes whether a customer's bank disputes the payment of an order. Each change is logged and published once; a repeat changes nothing. */
export async function noteDispute(tx: Transaction, { storeId, orderId, open }: Dispute): Promise<void> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || family.main.disputed === open) return;
  const { main } = family;
  await writeDispute(tx, main.id, open);
  await appendLog(tx, {
    storeId,
    orderId: main.id,
    kind: open ? 'dispute_opened' : 'dispute_closed',
    title: open ? 'The customer’s bank disputes the payment' : 'The dispute of the payment is closed',
  });
  await publish(tx, paymentDisputed, {
    ...nextVersionOf(main),
    data: {
      ...orderFields(main),
      dispute_id: main.id,
      state: open ? 'opened' : 'won',
      amount_pence: main.total_pence,
      currency: main.currency,
      reason: null,
      evidence_due_by: null,
    },
  });
}
