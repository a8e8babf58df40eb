import type { Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { instant } from '../tables/cards.ts';

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

const State = z.object({
  currency: z.string(),
  goal: z.number().nullable(),
  reward_title: z.string().nullable(),
  enabled: z.boolean().nullable(),
  stamps: z.number(),
  debt: z.number(),
  known: z.boolean(),
  order_count: z.number(),
  last_visit_at: z.string().nullable(),
  spent: z.number(),
  vouchers: z.array(Voucher),
  memberships: z.array(Membership).nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});

/** Where a customer stands with a store, in one statement. Who has never dealt with it shows no phone, no e-mail and no visit. */
export const customerState: Operation<typeof loyalty.customerState, Context> = async ({ query }, { database, now }) => {
  const state = await database.maybeOne(sql.prepared('customer-state', State)`
    select s.currency, p.goal, p.reward_title, p.enabled,
      (select count(*) from stamp t where t.store_id = s.id and t.customer_id = ${query.customer_id} and t.status = 'approved' and t.voucher_id is null and not t.paid_debt)::int as stamps,
      coalesce(c.debt, 0) as debt, c.customer_id is not null as known, coalesce(c.order_count, 0) as order_count,
      ${instant(sql.fragment`c.last_visit_at`)} as last_visit_at,
      (select coalesce(sum(greatest(0, l.paid_pence - l.refunded_pence)), 0) from order_ledger l
       where l.store_id = s.id and l.customer_id = ${query.customer_id} and l.paid) as spent,
      coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'code', v.code, 'reward_title', v.reward_title, 'voucher_type', v.voucher_type,
          'expires_at', ${instant(sql.fragment`v.expires_at`)}) order by v.expires_at, v.id)
        from voucher v where v.store_id = s.id and v.customer_id = ${query.customer_id} and v.status = 'active' and v.expires_at > ${now().toISOString()}), '[]') as vouchers,
      u.memberships, u.email, u.phone
    from store s
    left join programme p on p.store_id = s.id
    left join card c on c.store_id = s.id and c.customer_id = ${query.customer_id}
    left join customer u on u.id = ${query.customer_id}
    where s.id = ${query.store_id}`);
  if (!state) throw new Problem('STORE_NOT_FOUND');
  const membership = state.memberships?.find(({ store_id }) => store_id === query.store_id);
  return {
    stamp_count: Math.max(0, state.stamps - state.debt),
    goal: state.goal ?? 0,
    reward_name: state.reward_title ?? '',
    loyalty_enabled: state.enabled ?? false,
    active_vouchers: state.vouchers,
    order_count: state.order_count,
    total_spent_pence: state.spent,
    currency: state.currency,
    membership: {
      status: membership?.status ?? null,
      current_period_end: membership?.current_period_end ?? null,
      plan_name: membership?.plan_name ?? null,
    },
    phone: state.known ? state.phone : null,
    email: state.known ? state.email : null,
    last_visit_at: state.known ? state.last_visit_at : null,
  };
};
