import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const ProviderState = z.object({
  /** Each list of the provider with the seconds since the end of its last reading. */
  cursors: z.array(z.object({ name: z.string(), age: z.number() })),
  differences: z.number(),
  restricted: z.number(),
  disputes_due: z.number(),
  shares_failing: z.number(),
});

/** Reads how far the provider's lists were read, and counts what needs a person: see the metrics of the same names. */
export const readProviderState = (queries: Queries, now: Date): Promise<z.output<typeof ProviderState>> =>
  queries.one(sql.prepared('read-provider-state', ProviderState)`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'age', extract(epoch from ${now.toISOString()}::timestamptz - c.read_until)::float8)), '[]')
        from provider_cursor c) as cursors,
      (select count(*)::int from ledger_difference where explained_at is null) as differences,
      (select count(*)::int from store_account a join store s on s.id = a.store_id and s.connected_account_id = a.account_id
        where s.live and not a.accepts_orders) as restricted,
      (select count(*)::int from dispute
        where state = 'opened' and awaits_evidence and evidence_due_by < ${now.toISOString()}::timestamptz + interval '3 days') as disputes_due,
      (select count(*)::int from dispute where share_due_at is not null and share_failures > 0) as shares_failing`);
