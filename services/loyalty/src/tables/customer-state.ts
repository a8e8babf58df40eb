import { instantOf, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './cards.ts';

const Voucher = z.object({
  id: z.string(),
  code: z.string(),
  reward_title: z.string().nullable(),
  voucher_type: z.string().nullable(),
  expires_at: z.string(),
});
const Membership = z.object({
  store_id: z.string(),
  status: z.string(),
  current_period_end: z.string().nullable(),
  plan_name: z.string().nullable(),
});

const CustomerState = z.object({
  currency: z.string(),
  goal: z.number().nullable(),
  reward_title: z.string().nullable(),
  enabled: z.boolean().nullable(),
  stamps: z.number(),
  debt: z.number(),
  /** Whether the customer has done something at the store; what staff did does not count. */
  known: z.boolean(),
  order_count: z.number(),
  last_visit_at: z.string().nullable(),
  /** Pence paid, less what was refunded and what went with lost disputes. */
  spent: z.number(),
  vouchers: z.array(Voucher),
  memberships: z.array(Membership).nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});

/** Reads a customer's state at a store in one statement. Null for an unknown store. */
export async function readCustomerState(queries: Queries, card: CardKey, now: Date): Promise<z.output<typeof CustomerState> | null> {
  const { storeId, customerId } = card;
  return await queries.maybeOne(sql.prepared('customer-state', CustomerState)`
    select s.currency, p.goal, p.reward_title, p.enabled, (${unusedStamps(card)})::int as stamps,
      coalesce(c.debt, 0) as debt, c.customer_since is not null as known, coalesce(c.order_count, 0) as order_count,
      ${instantOf(sql.fragment`c.last_visit_at`)} as last_visit_at, (${penceSpent(card)}) as spent,
      coalesce((${activeVouchers(card, now)}), '[]') as vouchers, u.memberships, u.email, u.phone
    from store s
    left join programme p on p.store_id = s.id
    left join card c on c.store_id = s.id and c.customer_id = ${customerId}
    left join customer u on u.id = ${customerId}
    where s.id = ${storeId}`);
}

const unusedStamps = ({ customerId }: CardKey): FragmentSqlToken => sql.fragment`
  select count(*) from stamp t
  where t.store_id = s.id and t.customer_id = ${customerId} and t.status = 'approved' and t.voucher_id is null and not t.paid_debt`;

const penceSpent = ({ customerId }: CardKey): FragmentSqlToken => sql.fragment`
  select coalesce(sum(greatest(0, l.paid_pence - l.refunded_pence - l.lost_pence)), 0) from order_ledger l
  where l.store_id = s.id and l.customer_id = ${customerId} and l.paid`;

const activeVouchers = ({ customerId }: CardKey, now: Date): FragmentSqlToken => sql.fragment`
  select jsonb_agg(jsonb_build_object('id', v.id, 'code', v.code, 'reward_title', v.reward_title, 'voucher_type', v.voucher_type,
    'expires_at', ${instantOf(sql.fragment`v.expires_at`)}) order by v.expires_at, v.id)
  from voucher v where v.store_id = s.id and v.customer_id = ${customerId} and v.status = 'active' and v.expires_at > ${now.toISOString()}`;
