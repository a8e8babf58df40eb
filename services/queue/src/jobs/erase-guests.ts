import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';

/** Erases the names and numbers of guests whose entries nobody is shown any more: they ended a day ago. */
export async function eraseGuests({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  await database.query(sql.prepared('erase-guests', z.object({}))`
    update entry set guest_name = null, guest_phone = null
    where ended_at <= ${now().toISOString()}::timestamptz - interval '24 hours' and (guest_name is not null or guest_phone is not null)`);
}
