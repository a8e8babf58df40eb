import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { graceSeconds } from '../rules/multi-stamp.ts';

/** Marks requests nobody confirmed in time. One that is being resolved just now is left to whoever does. */
export async function expireMultiStamps({ database, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - graceSeconds * 1_000).toISOString();
  await database.query(sql.prepared('expire-multi-stamps', z.object({}))`
    update multi_stamp_request set status = 'expired', resolved_at = expires_at where id in (
      select id from multi_stamp_request where status = 'pending' and expires_at < ${before} order by expires_at limit 1000 for update skip locked)`);
}
