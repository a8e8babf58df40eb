import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const StaffSession = z.object({ id: z.string(), started_at: z.string(), expires_at: z.string() });

export const saveStaffSession = (
  tx: Transaction,
  session: { readonly storeId: string; readonly staffId: string; readonly expiresAt: Date; readonly requestId: string | null },
): Promise<z.output<typeof StaffSession>> =>
  tx.one(sql.prepared('save-staff-session', StaffSession)`
    insert into staff_session (id, store_id, staff_id, started_at, expires_at, request_id)
    values (
      ${tx.newId()}, ${session.storeId}, ${session.staffId}, ${tx.now.toISOString()}, ${session.expiresAt.toISOString()},
      ${session.requestId}::uuid)
    on conflict (request_id) do update set request_id = excluded.request_id
    returning id, ${instantOf(sql.fragment`started_at`)} as started_at, ${instantOf(sql.fragment`expires_at`)} as expires_at`);

export const listStaffSessions = async (queries: Queries, storeId: string, staffId: string, now: Date): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('list-staff-sessions', z.object({ id: z.string() }))`
    select id from staff_session where staff_id = ${staffId} and store_id = ${storeId} and expires_at > ${now.toISOString()} order by id`);
