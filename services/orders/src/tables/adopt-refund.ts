import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ProviderOutcome } from '../rules/refunds.ts';
import { lockFamily, type OrderRow } from './orders.ts';
import type { RefundRow } from './refunds.ts';
import { settleRefund } from './settle-refund.ts';

/**
 * Takes a refund somebody made at the provider's dashboard for one of the order's own, once for each of the provider's ids, and
 * brings it to what the provider made of it. `id` is the refund's from then on, if it was not known before.
 */
export async function adoptRefund(
  tx: Transaction,
  { id: orderId, store_id }: OrderRow,
  provider: ProviderOutcome & { readonly amountPence: number },
  { id, at }: { readonly id: string; readonly at: Date },
): Promise<RefundRow | null> {
  await lockFamily(tx, store_id, orderId);
  await tx.query(sql.prepared('adopt-refund', z.object({}))`
    insert into refund (id, store_id, payment_order_id, order_id, attempt, amount_pence, reason, by_id, by_name, status, provider_refund_id, created_at)
    values (${id}, ${store_id}, ${orderId}, ${orderId}, ${`provider:${provider.id}`}, ${provider.amountPence},
      'Refunded at the payment provider', 'payment-provider', null, 'pending', ${provider.id}, ${at.toISOString()})
    on conflict (provider_refund_id) do nothing`);
  const adopted = await tx.oneFirst(sql.prepared('adopted-refund', z.object({ id: z.string() }))`
    select id from refund where provider_refund_id = ${provider.id}`);
  return await settleRefund(tx, store_id, adopted, provider, at);
}
