import { NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { languages } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { isLiveSql } from '../../order/tables/orders.ts';

/**
 * The limits by which tickets are made, printed and counted. Instants are ISO 8601. Orders first due before `oldest` are not printed;
 * those due, and tickets expired, before `counted` are ignored.
 */
export interface PrintTimes {
  readonly now: string;
  readonly oldest: string;
  readonly counted: string;
  readonly printSeconds: number;
  readonly mostFailures: number;
}

export interface PollingPrinter {
  readonly id: string;
  readonly store_id: string;
  readonly created_at: string;
}

/** When an order `o` was first due, as the index `orders_live` has it. */
export const dueSql: FragmentSqlToken = sql.fragment`coalesce(o.first_collection_at, o.requested_collection_at, o.created_at)`;

const takenOnSql = sql.fragment`coalesce(o.accepted_at, case when o.order_type = 'buy_now' then o.paid_at end)`;

/**
 * Whether a printer `p` has no ticket yet for an order `o` of its store. An order that ended before is not printed. It reads only the live
 * orders that were due within a day.
 */
export const toPrintSql = ({ counted }: PrintTimes): FragmentSqlToken => sql.fragment`(
  ${isLiveSql} and ${dueSql} > ${counted} and ${takenOnSql} >= p.created_at
  -- Not a join, of which the planner may make a reading of all lines.
  and (select true from order_line l where l.order_id = o.id limit 1)
  and not exists (select from ticket t where t.printer_id = p.id and t.order_id = o.id and t.kind = 'order' and t.copy = 0))`;

/**
 * Whether an unprinted ticket `t` of an order `o` is to be printed. The first print of an ended order is useless, unless the printer has
 * it already: it may then be in the kitchen.
 */
export const waitsSql = ({ now, mostFailures }: PrintTimes): FragmentSqlToken => sql.fragment`(
  t.expires_at > ${now} and t.failures < ${mostFailures}
  and (${isLiveSql} or t.sent_at is not null or t.copy > 0 or t.kind = 'cancelled'))`;

/** Makes the missing tickets of a store's orders for a printer. Those of orders that are too old have expired already. */
export async function makeTickets(tx: Transaction, printer: PollingPrinter, times: PrintTimes): Promise<void> {
  await tx.query(sql.prepared('make-tickets', NoColumns)`
    with p as (select ${printer.id}::uuid as id, ${printer.created_at}::timestamptz as created_at)
    insert into ticket (printer_id, store_id, order_id, kind, copy, made_at, expires_at, watched)
    select p.id, o.store_id, o.id, 'order', 0, ${times.now}, ${dueSql} + make_interval(secs => ${times.printSeconds}), true
    from p, orders o
    where o.store_id = ${printer.store_id} and ${toPrintSql(times)}
    order by ${takenOnSql}, o.order_number
    on conflict on constraint one_ticket_for_a_print do nothing`);
}

/** Makes a ticket for each order cancelled after the printer had it. Orders that ended otherwise are no longer watched. */
export async function makeCancelledTickets(tx: Transaction, printer: PollingPrinter, times: PrintTimes): Promise<void> {
  await tx.query(sql.prepared('make-cancelled-tickets', NoColumns)`
    with ended as (
      update ticket t set watched = false
      where t.printer_id = ${printer.id} and t.watched
        -- Not a join, of which the planner may make a reading of all orders that have ended.
        and (select o.has_ended from orders o where o.id = t.order_id)
      returning t.order_id,
        t.sent_at is not null and (select o.business_status from orders o where o.id = t.order_id) = 'cancelled' as is_to_print
    )
    insert into ticket (printer_id, store_id, order_id, kind, copy, made_at, expires_at, watched)
    select distinct ${printer.id}::uuid, ${printer.store_id}::uuid, e.order_id, 'cancelled', 0, ${times.now}::timestamptz,
      ${times.now}::timestamptz + make_interval(secs => ${times.printSeconds}), false
    from ended e where e.is_to_print
    on conflict on constraint one_ticket_for_a_print do nothing`);
}

const Offer = z.object({ job_token: z.string(), failed_code: z.string().nullable() });
export type Offer = z.output<typeof Offer>;

/**
 * Assigns a job to the printer's next ticket, or returns the job that it has: until a job is confirmed, a printer is offered no other.
 * Tickets that failed come last. Null when none waits. The printer is locked.
 */
export const offerTicket = (tx: Transaction, printer: PollingPrinter, jobToken: string, times: PrintTimes): Promise<Offer | null> =>
  tx.maybeOne(sql.prepared('offer-ticket', Offer)`
    update ticket set job_token = coalesce(job_token, ${jobToken})
    where id = (
      select t.id from ticket t join orders o on o.id = t.order_id
      where t.printer_id = ${printer.id} and t.printed_at is null and ${waitsSql(times)}
      order by t.job_token is null, t.failures, t.id
      limit 1
    )
    returning job_token, failed_code`);

const SentTicket = z.object({
  store_id: z.string(),
  order_id: z.string(),
  kind: z.enum(['order', 'cancelled']),
  copy: z.number(),
  language: z.enum(languages),
  time_zone: z.string(),
});
export type SentTicket = z.output<typeof SentTicket>;

export interface Job {
  readonly hash: string;
  readonly token: string;
}

/** Reads the ticket of a job, and writes that the printer has it. Null when the printer has no such job, or has confirmed it. */
export const sendTicket = (queries: Queries, { hash, token }: Job, now: Date): Promise<SentTicket | null> =>
  queries.maybeOne(sql.prepared('send-ticket', SentTicket)`
    update ticket t set sent_at = coalesce(t.sent_at, ${now.toISOString()})
    from printer p join store s on s.id = p.store_id
    where t.job_token = ${token} and p.id = t.printer_id and p.token_hash = ${hash}
    returning t.store_id, t.order_id, t.kind, t.copy, p.language, s.time_zone`);

export interface JobEnd {
  readonly printed: boolean;
  readonly counts: boolean;
  readonly code: string;
}

/**
 * Ends a job. A failed job leaves its ticket for another job. An ended or unknown job changes nothing. Returns whether a printer has the
 * token.
 */
export const endJob = (queries: Queries, { hash, token }: Job, { printed, counts, code }: JobEnd, now: Date): Promise<boolean> =>
  queries.oneFirst(sql.prepared('end-job', z.object({ is_known: z.boolean() }))`
    with p as (select id from printer where token_hash = ${hash}),
    ended as (
      update ticket t set
        printed_at = case when ${printed} then ${now.toISOString()}::timestamptz end,
        sent_at = case when ${printed} then coalesce(t.sent_at, ${now.toISOString()}) else t.sent_at end,
        job_token = null,
        failures = t.failures + case when ${counts} then 1 else 0 end,
        failed_code = case when ${printed} then t.failed_code else ${code} end
      from p
      where t.job_token = ${token} and t.printer_id = p.id
    )
    select exists (select from p) as is_known`);

const Copy = z.object({ printer_id: z.string(), copy: z.number() });

export const insertCopies = (
  tx: Transaction,
  { storeId, orderId, printerIds }: { readonly storeId: string; readonly orderId: string; readonly printerIds: readonly string[] },
  { now, printSeconds }: PrintTimes,
): Promise<readonly z.output<typeof Copy>[]> =>
  tx.any(sql.prepared('insert-copies', Copy)`
    insert into ticket (printer_id, store_id, order_id, kind, copy, made_at, expires_at, watched)
    select p.id, ${storeId}, ${orderId}, 'order',
      1 + coalesce((select max(t.copy) from ticket t where t.printer_id = p.id and t.order_id = ${orderId} and t.kind = 'order'), 0),
      ${now}, ${now}::timestamptz + make_interval(secs => ${printSeconds}), true
    from unnest(${sql.array([...printerIds], 'uuid')}) with ordinality as p(id, n) order by p.n
    returning printer_id, copy`);
