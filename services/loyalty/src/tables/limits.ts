import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Card } from './cards.ts';

/**
 * Lets the store's grants and approvals take turns: its quota and its keys are counted across all its cards. Comes before the
 * card's own lock. Answers whether there is such a store.
 */
export async function lockQuota(tx: Transaction, storeId: string): Promise<boolean> {
  const store = await tx.maybeOne(sql.prepared('lock-quota', z.object({ id: z.string() }))`
    select s.id, (select p.version from programme p where p.store_id = s.id for update) from store s where s.id = ${storeId}`);
  return store !== null;
}

/** Stamps the customer collected today and the store approved this month, by the store's own clock; orders' stamps are not counted. */
export async function stampsWithin(tx: Transaction, card: Card, at: Date): Promise<{ readonly today: number; readonly month: number }> {
  return await tx.one(sql.prepared('stamps-within', z.object({ today: z.number(), month: z.number() }))`
    select
      count(*) filter (where customer_id = ${card.customerId} and source <> 'multi_stamp'
        and created_at >= date_trunc('day', ${at.toISOString()}::timestamptz at time zone ${card.time_zone}) at time zone ${card.time_zone})::int as today,
      count(*)::int as month
    from stamp
    where store_id = ${card.storeId} and status = 'approved' and source <> 'order'
      and approved_at >= date_trunc('month', ${at.toISOString()}::timestamptz at time zone ${card.time_zone}) at time zone ${card.time_zone}`);
}

/** Whether the plan gives no more this month. */
export const quotaSpent = ({ monthly_stamp_quota }: Card, month: number): boolean =>
  monthly_stamp_quota !== null && month >= monthly_stamp_quota;
