import { insertEventsSql, instantOf, type OutboxEntry, type Publisher, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { type CustomerAt, programmeOfSql } from './programmes.ts';

export const ActiveVoucher = z.object({
  id: z.string(),
  code: z.string(),
  reward_title: z.string().nullable(),
  voucher_type: z.string().nullable(),
  expires_at: z.string(),
});

export const Membership = z.object({
  store_id: z.string(),
  status: z.string(),
  current_period_end: z.string().nullable(),
  plan_name: z.string().nullable(),
});

/**
 * `known`: the customer has done something at the store; actions of staff do not count. `spent`: pence paid, less refunds and lost
 * disputes.
 */
const CustomerState = z.object({
  currency: z.string(),
  goal: z.number().nullable(),
  reward_title: z.string().nullable(),
  enabled: z.boolean().nullable(),
  driver: z.enum(['orders', 'visits', 'membership']),
  stamps: z.number(),
  debt: z.number(),
  known: z.boolean(),
  order_count: z.number(),
  last_visit_at: z.string().nullable(),
  spent: z.number(),
  vouchers: z.array(ActiveVoucher),
  memberships: z.array(Membership).nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});

/**
 * Reads a customer's state at a store, with their card of its programme, and publishes that it was read, in one statement. Null for an
 * unknown store, of which nothing is published.
 */
export async function readCustomerState(
  queries: Queries & Publisher,
  customer: CustomerAt,
  now: Date,
  read: OutboxEntry,
): Promise<z.output<typeof CustomerState> | null> {
  const { storeId, customerId } = customer;
  return await queries.maybeOne(sql.prepared('customer-state', CustomerState)`
    with published as (${insertEventsSql(queries, [read], sql.fragment`where exists (select from store where id = ${storeId})`)})
    select s.currency, p.goal, p.reward_title, p.enabled, coalesce(p.settings ->> 'driver', 'orders') as driver, coalesce(k.debt, 0) as debt, c.customer_since is not null as known,
      coalesce(c.order_count, 0) as order_count, ${instantOf(sql.fragment`c.last_visit_at`)} as last_visit_at,
      u.memberships, u.email, u.phone,
      (
        select count(*) from stamp t
        where t.store_id = h.id and t.customer_id = ${customerId} and t.status = 'approved' and t.voucher_id is null and not t.paid_debt
      )::int as stamps,
      (
        select coalesce(sum(greatest(0, l.paid_pence - l.refunded_pence - l.lost_pence)), 0) from order_ledger l
        where l.store_id = s.id and l.customer_id = ${customerId} and l.paid
      ) as spent,
      ${activeVouchersSql({ programmeId: sql.fragment`h.id`, storeId: sql.fragment`s.id`, customerId: sql.fragment`${customerId}` }, now)} as vouchers
    from store s
    cross join lateral (select ${programmeOfSql(sql.fragment`s.id`)} as id offset 0) h
    left join programme p on p.store_id = h.id
    left join card k on k.store_id = h.id and k.customer_id = ${customerId}
    left join card c on c.store_id = s.id and c.customer_id = ${customerId}
    left join customer u on u.id = ${customerId}
    where s.id = ${storeId}`);
}

/**
 * Selects the vouchers that a customer can use at a store, those that end first before the others, as JSON of {@link ActiveVoucher}: those
 * of its programme, and those of the programme of its own.
 */
export const activeVouchersSql = (
  { programmeId, storeId, customerId }: Readonly<Record<'programmeId' | 'storeId' | 'customerId', FragmentSqlToken>>,
  now: Date,
): FragmentSqlToken => sql.fragment`coalesce((
  select jsonb_agg(jsonb_build_object('id', v.id, 'code', v.code, 'reward_title', v.reward_title, 'voucher_type', v.voucher_type,
    'expires_at', ${instantOf(sql.fragment`v.expires_at`)}) order by v.expires_at, v.id)
  from voucher v
  where v.store_id = any(array[${programmeId}, ${storeId}]) and v.customer_id = ${customerId} and v.status = 'active' and v.expires_at > ${now.toISOString()}
), '[]')`;
