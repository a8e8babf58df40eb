import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { instant } from '../tables/cards.ts';

const text = z.string().nullable();
const Listed = z.object({
  id: z.string(),
  store_id: z.string(),
  customer_id: text,
  status: z.string(),
  source: text,
  approval_reason: text,
  approved: z.boolean(),
  created_at: text,
  approved_at: text,
  name: text,
  email: text,
  phone: text,
  identity_user_id: text,
  last_seen: text,
  known_since: text,
});

/** A store's stamps of one status, newest first, each with who collected it; in one statement. */
export const listPendingStamps: Operation<typeof loyalty.listPendingStamps, Context> = async ({ query }, { database }) => {
  const rows = await database.any(sql.prepared('list-stamps', Listed)`
    select s.id, s.store_id, s.customer_id, s.status, s.source, s.approval_reason, s.status = 'approved' as approved,
      ${instant(sql.fragment`s.created_at`)} as created_at, ${instant(sql.fragment`s.approved_at`)} as approved_at,
      u.name, u.email, u.phone, u.identity_user_id,
      ${instant(sql.fragment`c.last_visit_at`)} as last_seen, ${instant(sql.fragment`c.created_at`)} as known_since
    from stamp s
    left join customer u on u.id = s.customer_id
    left join card c on c.store_id = s.store_id and c.customer_id = s.customer_id
    where s.store_id = ${query.store_id} and s.status = ${query.status}
    order by s.created_at desc, s.id desc limit 100`);
  return {
    stamps: rows.map(({ name, email, phone, identity_user_id, last_seen, known_since, ...stamp }) => ({
      ...stamp,
      customer: {
        id: stamp.customer_id ?? 'guest',
        name,
        email,
        phone,
        identity_user_id,
        last_seen,
        created_at: known_since,
        updated_at: null,
      },
    })),
  };
};
