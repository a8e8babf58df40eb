import { publish, type Transaction } from '@corner/chassis';
import { paymentDisputed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { appendLog } from './log.ts';
import { lockFamily, namesOf, nextOf } from './orders.ts';

/** Notes whether a customer's bank disputes what an order cost. Each change is logged and told once; what is known changes nothing. */
export async function noteDispute(
  tx: Transaction,
  storeId: string,
  orderId: string,
  { open, at }: { readonly open: boolean; readonly at: Date },
): Promise<void> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || family.main.disputed === open) return;
  const { main } = family;
  await tx.query(sql.prepared('note-dispute', z.object({}))`
    update orders set disputed = ${open}, version = version + 1 where id = ${main.id}`);
  await appendLog(tx, {
    storeId,
    orderId: main.id,
    at,
    kind: open ? 'dispute_opened' : 'dispute_closed',
    title: open ? 'The customer’s bank disputes the payment' : 'The dispute of the payment is closed',
  });
  await publish(tx, paymentDisputed, { ...nextOf(main), data: { ...namesOf(main), open } });
}
