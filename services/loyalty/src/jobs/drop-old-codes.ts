import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';

/** Days a repeat is still answered the stamp its code gave. */
const keptDays = 7;

/** Drops codes nobody asks for any more, and with them what their devices said. Their taps stay used. */
export async function dropOldCodes({ database, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - keptDays * 86_400_000).toISOString();
  const batch = sql.prepared('drop-old-codes', z.object({ dropped: z.number() }))`
    with gone as (delete from stamp_code where id in (select id from stamp_code where expires_at < ${before} limit 1000) returning 1)
    select count(*)::int as dropped from gone`;
  while ((await database.oneFirst(batch)) === 1_000);
}
