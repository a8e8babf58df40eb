import { NoColumns, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

export interface HostClaim {
  readonly host: string;
  readonly kind: 'events' | 'challenges';
  readonly wanted: number;
  readonly limit: number;
  readonly now: Date;
}

/** Counts requests to a host before they are made. Returns how many may be made: fewer than wanted when its minute is used up. */
export const claimRequests = (queries: Queries, { host, kind, wanted, limit, now }: HostClaim): Promise<number> =>
  queries.oneFirst(sql.prepared('claim-webhook-requests', z.object({ granted: z.number() }))`
    -- What was counted before is kept beside it, so that the row that is returned says how many of these are granted.
    insert into webhook_host as h (host, kind, minute, requests, granted)
    values (${host}, ${kind}, date_trunc('minute', ${now.toISOString()}::timestamptz), least(${wanted}::integer, ${limit}), least(${wanted}::integer, ${limit}))
    on conflict (host, kind) do update
    set minute = excluded.minute,
        requests = case when h.minute = excluded.minute then least(h.requests + ${wanted}::integer, ${limit}) else excluded.requests end,
        granted = case when h.minute = excluded.minute then least(${wanted}::integer, ${limit} - h.requests) else excluded.granted end
    returning granted`);

export async function deleteOldCounts(queries: Queries, before: Date): Promise<void> {
  await queries.query(sql.prepared('delete-old-webhook-counts', NoColumns)`
    delete from webhook_host where minute < ${before.toISOString()}`);
}
