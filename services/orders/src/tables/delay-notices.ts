import type { Database, Queries, Transaction } from '@corner/chassis';
import type { DataOf, directoryCustomer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { instant } from './orders.ts';

const none = z.object({});

/** Keeps by which ways a customer can be reached, unless it is known as newly already. */
export async function keepContact(tx: Queries, { id, version, push_devices, email }: DataOf<typeof directoryCustomer>): Promise<void> {
  await tx.query(sql.prepared('keep-contact', none)`
    insert into contact (customer_id, version, has_push, has_email) values (${id}, ${version}, ${push_devices.length > 0}, ${Boolean(email)})
    on conflict (customer_id) do update set version = excluded.version, has_push = excluded.has_push, has_email = excluded.has_email
    where contact.version < excluded.version`);
}

const Standing = z.object({
  wish: z.string().nullable(),
  told_at: z.string().nullable(),
  owed: z.boolean(),
  time_zone: z.string(),
  has_push: z.boolean(),
  has_email: z.boolean(),
});

/** The last notice of a locked order, its store's zone, and how the customer can be reached. */
export const noticeOf = (tx: Transaction, storeId: string, orderId: string, customerId: string): Promise<z.output<typeof Standing>> =>
  tx.one(sql.prepared('delay-notice-of', Standing)`
    select n.wish, ${instant(sql.fragment`n.told_at`)} as told_at, coalesce(n.owed, false) as owed, s.time_zone,
      coalesce(c.has_push, false) as has_push, coalesce(c.has_email, false) as has_email
    from store s left join delay_notice n on n.order_id = ${orderId} left join contact c on c.customer_id = ${customerId}
    where s.id = ${storeId}`);

export interface Notice {
  readonly orderId: string;
  readonly storeId: string;
  readonly eta: Date;
  readonly wish: string;
  readonly note: string | null;
  /** When it is told; null when that is owed. */
  readonly toldAt: Date | null;
}

/** Writes the new time beside the booked one, and what was said of it. */
export async function keepNotice(tx: Transaction, { orderId, storeId, eta, wish, note, toldAt }: Notice): Promise<void> {
  const at = toldAt?.toISOString() ?? null;
  await tx.query(sql.prepared('keep-delay-notice', none)`
    with kept as (
      insert into delay_notice (order_id, store_id, wish, note, told_at, owed)
      values (${orderId}, ${storeId}, ${wish}, ${note}, coalesce(${at}::timestamptz, now()), ${toldAt === null})
      on conflict (order_id) do update
      set wish = excluded.wish, note = excluded.note, owed = excluded.owed, told_at = coalesce(${at}::timestamptz, delay_notice.told_at)
    )
    update orders set revised_ready_at = ${eta.toISOString()}, version = version + 1 where id = ${orderId} and store_id = ${storeId}`);
}

const Owed = z.object({ order_id: z.string(), store_id: z.string(), note: z.string().nullable() });

/** Notices that are owed since before an instant, oldest first. */
export const owedNotices = (database: Database, before: Date): Promise<readonly z.output<typeof Owed>[]> =>
  database.any(sql.prepared('owed-delay-notices', Owed)`
    select order_id, store_id, note from delay_notice where owed and told_at <= ${before.toISOString()} order by told_at limit 100`);

/** Takes a notice that is owed since before an instant, once: null when somebody told it meanwhile, or put it off again. */
export const takeOwed = (tx: Transaction, orderId: string, before: Date, at: Date): Promise<{ readonly note: string | null } | null> =>
  tx.maybeOne(sql.prepared('take-owed-delay-notice', z.object({ note: z.string().nullable() }))`
    with taken as (
      update delay_notice set owed = false, told_at = ${at.toISOString()}
      where order_id = ${orderId} and owed and told_at <= ${before.toISOString()}
      returning note
    ), counted as (
      update orders set version = version + 1 where id = ${orderId} and exists (select 1 from taken)
    )
    select note from taken`);
