import { instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const text = z.string().nullable();
const ListedStamp = z.object({
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

/** Reads a store's 100 newest stamps of one status, the newest first, each with the customer who collected it: by name once they did something there. */
export const listStamps = async (
  queries: Queries,
  { storeId, status }: { readonly storeId: string; readonly status: string },
): Promise<readonly z.output<typeof ListedStamp>[]> =>
  await queries.any(sql.prepared('list-stamps', ListedStamp)`
    select s.id, s.store_id, s.customer_id, s.status, s.source, s.approval_reason, s.status = 'approved' as approved,
      ${instantOf(sql.fragment`s.created_at`)} as created_at, ${instantOf(sql.fragment`s.approved_at`)} as approved_at,
      u.name, u.email, u.phone, u.identity_user_id,
      ${instantOf(sql.fragment`c.last_visit_at`)} as last_seen, ${instantOf(sql.fragment`c.created_at`)} as known_since
    from stamp s
    left join card c on c.store_id = s.store_id and c.customer_id = s.customer_id
    left join customer u on u.id = s.customer_id and c.customer_since is not null
    where s.store_id = ${storeId} and s.status = ${status}
    order by s.created_at desc, s.id desc limit 100`);
