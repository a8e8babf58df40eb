import type { Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './cards.ts';

/**
 * Locks a store's quota: its programme's row, because quota and keys are counted across all its cards. Lock order: it comes before any
 * card of the store. A store without a programme has none.
 */
export async function lockQuota(tx: Transaction, storeId: string): Promise<void> {
  await tx.query(sql.prepared('lock-quota', z.object({ version: z.number() }))`
    select version from programme where store_id = ${storeId} for update`);
}

const Usage = z.object({ day: z.number(), month: z.number() });

/** A card with its store's time zone and quota. */
export interface LimitedCard extends CardKey {
  readonly time_zone: string;
  readonly monthly_stamp_quota: number | null;
}

/**
 * Counts stamps toward the limits, by the store's clock. `day`: those the customer collected on the day of `collectedAt`, approved or
 * pending, without orders' and multi-stamp ones. `month`: those approved at the store in the month of `now`, without orders' and guests';
 * 0 where the quota is unlimited. A local day is as long as the store's clock makes it.
 */
export async function readStampUsage(
  queries: Pick<Queries, 'one'>,
  card: LimitedCard,
  { collectedAt, now }: { readonly collectedAt: Date; readonly now: Date },
): Promise<z.output<typeof Usage>> {
  const midnight = sql.fragment`date_trunc('day', ${collectedAt.toISOString()}::timestamptz at time zone ${card.time_zone})`;
  const collectedThatDay = sql.fragment`
    select count(*) from stamp
    where store_id = ${card.storeId} and customer_id = ${card.customerId} and status in ('approved', 'pending')
      and source not in ('order', 'multi_stamp')
      and created_at >= ${midnight} at time zone ${card.time_zone}
      and created_at < (${midnight} + interval '1 day') at time zone ${card.time_zone}`;
  const approvedThisMonth = sql.fragment`
    select count(*) from stamp
    where store_id = ${card.storeId} and status = 'approved' and source <> 'order' and customer_id is not null
      and approved_at >= date_trunc('month', ${now.toISOString()}::timestamptz at time zone ${card.time_zone}) at time zone ${card.time_zone}`;
  return await queries.one(sql.prepared('stamp-usage', Usage)`
    select (${collectedThatDay})::int as day,
      case when ${card.monthly_stamp_quota}::int is null then 0 else (${approvedThisMonth})::int end as month`);
}

/** Counts the stamps of a customer's confirmed multi-stamp requests this month, by the store's clock. */
export const multiStampsThisMonth = async (tx: Transaction, { storeId, customerId }: CardKey, timeZone: string): Promise<number> =>
  await tx.oneFirst(sql.prepared('multi-stamps-this-month', z.object({ stamps: z.number() }))`
    select coalesce(sum(requested_stamps), 0)::int as stamps from multi_stamp_request
    where store_id = ${storeId} and customer_id = ${customerId} and status = 'confirmed'
      and resolved_at >= date_trunc('month', ${tx.now.toISOString()}::timestamptz at time zone ${timeZone}) at time zone ${timeZone}`);
