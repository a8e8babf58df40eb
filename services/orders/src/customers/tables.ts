import { type CustomerData, instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { providerModes } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { customerReference } from '../provider/tables.ts';

/**
 * Days after the placed or booked time until an unfinished order no longer counts as under way: no one prepares it or needs its notes, so
 * an erasure does not wait for it.
 */
export const mostDaysUnderWay = 7;

const underWaySql = (customerId: string, now: Date): FragmentSqlToken => {
  const since = sql.fragment`${now.toISOString()}::timestamptz - make_interval(days => ${mostDaysUnderWay})`;
  return sql.fragment`
    select o.id from orders o
    where o.customer_id = ${customerId} and o.parent_order_id is null
      and (not o.has_ended and coalesce(o.requested_collection_at, o.created_at) > ${since}
        or (select count(*) from orders l where l.parent_order_id = o.id and not l.has_ended and coalesce(l.requested_collection_at, l.created_at) > ${since}) > 0)`;
};

const Erased = z.object({ names: z.number(), orders: z.number(), texts: z.number() });

/**
 * Removes a customer's personal data: the contact, and of each order not under way the notes, table, device and log texts. Returns how
 * many rows it changed: `texts` counts notes and log entries.
 */
export const eraseCustomer = (tx: Transaction, customerId: string): Promise<z.output<typeof Erased>> =>
  tx.one(sql.prepared('erase-customer', Erased)`
    with named as (delete from contact where customer_id = ${customerId} returning 1),
    ended as materialized (
      select o.id, o.created_at from orders o
      where o.customer_id = ${customerId} and o.parent_order_id is null and o.id not in (${underWaySql(customerId, tx.now)})
    ), own as materialized (
      select id, created_at from ended
      union all select l.id, l.created_at from ended e join orders l on l.parent_order_id = e.id
    ), stripped as (
      update orders set table_number = null, device_hash = null, address_hash = null, request_fingerprint = null
      where id = any(array(select id from own)) and num_nonnulls(table_number, device_hash, address_hash, request_fingerprint) > 0 returning 1
    ), lines as (
      update order_line set note = null where order_id = any(array(select id from own)) and note is not null returning 1
    ), notices as (
      update delay_notice set note = null, request = '' where order_id = any(array(select id from own)) and request <> '' returning 1
    ), logs as (
      update log_entry
      set detail = null, actor = case when actor_id = ${customerId} then null else actor end
      where order_id = any(array(select id from own)) and (detail is not null or actor_id = ${customerId} and actor is not null) returning 1
    ), reasons as (
      update refund set reason = ${droppedReason}
      where payment_order_id = any(array(select id from own)) and reason <> ${droppedReason} returning 1
    ), events as (
      select scrub_outbox(id::text, 'order.running_late', '{"note": null}') + scrub_outbox(id::text, 'order.cancelled', '{"reason": null}')
      from own where created_at > ${tx.now.toISOString()}::timestamptz - interval '60 days'
    )
    select (select count(*) from named) as names, (select count(*) from stripped) as orders,
      (select count(*) from lines) + (select count(*) from notices) + (select count(*) from logs) + (select count(*) from reasons)
        + 0 * (select count(*) from events) as texts`);

const droppedReason = '–';

const AtProvider = z.object({
  under_way: z.number(),
  provider_id: z.string().nullable(),
  mode: z.enum(providerModes).nullable(),
  /** When the creation was first requested, for a call without a recorded end; null without one. */
  asked_at: z.string().nullable(),
});

const referencesSql = (customerId: string): FragmentSqlToken =>
  sql.fragment`(${sql.join(
    providerModes.map((mode) => customerReference(customerId, mode)),
    sql.fragment`, `,
  )})`;

export const readAtProvider = (queries: Queries, customerId: string, now: Date): Promise<z.output<typeof AtProvider>> =>
  queries.one(sql.prepared('read-customer-at-provider', AtProvider)`
    select (select count(*) from (${underWaySql(customerId, now)}) open) as under_way,
      (select provider_id from payment_customer where customer_id = ${customerId}) as provider_id,
      (select mode from payment_customer where customer_id = ${customerId}) as mode,
      (select ${instantOf(sql.fragment`min(created_at)`)} from provider_call
        where purpose = 'customer' and reference in ${referencesSql(customerId)}) as asked_at`);

export async function forgetAtProvider(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(sql.prepared('forget-customer-at-provider', NoColumns)`
    with calls as (delete from provider_call where purpose = 'customer' and reference in ${referencesSql(customerId)})
    delete from payment_customer where customer_id = ${customerId}`);
}

export const exportedSections: CustomerData<unknown>['sections'] = [
  {
    name: 'contact',
    rows: (id) =>
      sql.fragment`select customer_id::text as key, to_jsonb(contact) - 'version' - 'customer_id' as row from contact where customer_id = ${id}`,
  },
  {
    name: 'orders',
    rows: (id) => sql.fragment`
      select ${instantOf(sql.fragment`o.created_at`)} || o.id::text as key, jsonb_strip_nulls(to_jsonb(o) - ${hiddenOfOrders}::text[] || jsonb_build_object(
        'lines', (select jsonb_agg(jsonb_strip_nulls(to_jsonb(l) - 'order_id') order by l.position) from order_line l where l.order_id = o.id),
        'log', (
          select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('at', e.at, 'title', e.title, 'detail', e.detail, 'amount_pence', e.amount_pence))
            order by e.at, e.id)
          from log_entry e where e.order_id = o.id),
        'refunds', (
          select jsonb_agg(jsonb_build_object('at', r.created_at, 'amount_pence', r.amount_pence, 'reason', r.reason, 'status', r.status) order by r.created_at)
          from refund r where r.payment_order_id = o.id),
        'delay_note', (select d.note from delay_notice d where d.order_id = o.id))) as row
      from (
        select m.* from orders m where m.customer_id = ${id} and m.parent_order_id is null
        union all
        select l.* from orders m join orders l on l.parent_order_id = m.id where m.customer_id = ${id} and m.parent_order_id is null
      ) o`,
  },
  {
    name: 'customer at the payment provider',
    rows: (id) => sql.fragment`
      select customer_id::text as key, jsonb_build_object('provider_id', provider_id, 'mode', mode) as row
      from payment_customer where customer_id = ${id}`,
  },
];

const hiddenOfOrders =
  '{version,customer_id,request_fingerprint,traceparent,holds_released,cancel_begun_at,look_at,seller_version,connected_account_id,application_fee_pence,on_behalf_of}';
