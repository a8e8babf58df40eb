import type { Queries, Transaction } from '@corner/chassis';
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

/** What a customer collected on a day, and a store approved in a month: how much of the limits is used up. */
export interface Used {
  readonly day: number;
  readonly month: number;
}

/**
 * Stamps the customer collected on the local day of `collectedAt`, those that wait for approval too, and stamps the store approved
 * in the month of `at`, which is 0 where the plan has no end. A local day is as long as the store's clock makes it. Orders' stamps
 * count toward neither, those given at once not toward the day, and a guest's, on no card, not toward the month.
 */
export async function stampsAround(tx: Transaction, card: Card, collectedAt: Date, at: Date): Promise<Used> {
  const midnight = sql.fragment`date_trunc('day', ${collectedAt.toISOString()}::timestamptz at time zone ${card.time_zone})`;
  return await tx.one(sql.prepared('stamps-around', z.object({ day: z.number(), month: z.number() }))`
    select
      (select count(*) from stamp
        where store_id = ${card.storeId} and customer_id = ${card.customerId} and status in ('approved', 'pending')
          and source not in ('order', 'multi_stamp')
          and created_at >= ${midnight} at time zone ${card.time_zone}
          and created_at < (${midnight} + interval '1 day') at time zone ${card.time_zone})::int as day,
      case when ${card.monthly_stamp_quota}::int is null then 0 else (select count(*) from stamp
        where store_id = ${card.storeId} and status = 'approved' and source <> 'order' and customer_id is not null
          and approved_at >= date_trunc('month', ${at.toISOString()}::timestamptz at time zone ${card.time_zone}) at time zone ${card.time_zone}
      )::int end as month`);
}

/** Whether the plan gives no more this month, or not so many more. */
export const quotaSpent = ({ monthly_stamp_quota }: Card, month: number, more = 1): boolean =>
  monthly_stamp_quota !== null && month + more > monthly_stamp_quota;

/** Stamps confirmed at once for this customer this month, by the store's own clock. */
export async function multiStampsThisMonth(
  queries: Queries,
  { storeId, customerId, timeZone }: { readonly storeId: string; readonly customerId: string; readonly timeZone: string },
  at: Date,
): Promise<number> {
  return await queries.oneFirst(sql.prepared('multi-stamps-this-month', z.object({ stamps: z.number() }))`
    select coalesce(sum(requested_stamps), 0)::int as stamps from multi_stamp_request
    where store_id = ${storeId} and customer_id = ${customerId} and status = 'confirmed'
      and resolved_at >= date_trunc('month', ${at.toISOString()}::timestamptz at time zone ${timeZone}) at time zone ${timeZone}`);
}
