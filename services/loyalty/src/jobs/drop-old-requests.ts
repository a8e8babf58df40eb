import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';

/** Days it is told how a request ended that came to nothing. */
const keptDays = 7;

/** Drops requests that came to nothing. Those that were confirmed stay: they say who vouched, and count toward the month. */
export async function dropOldRequests({ database, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - keptDays * 86_400_000).toISOString();
  const batch = sql.prepared('drop-old-requests', z.object({ dropped: z.number() }))`
    with gone as (delete from multi_stamp_request where id in (
      select id from multi_stamp_request where status in ('cancelled', 'expired') and resolved_at < ${before} limit 1000) returning 1)
    select count(*)::int as dropped from gone`;
  while ((await database.oneFirst(batch)) === 1_000);
}
