import type { Digest, Producer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';

const Row = z.object({ from: z.number(), to: z.number(), count: z.number(), hash: z.string() });

/** Returns how far the inbox is complete for a producer, with count and hash of ranges of its events, to compare with the producer's. */
export async function digestProcessed(
  database: Database,
  producer: Producer,
  ranges: readonly Pick<Digest, 'from' | 'to'>[],
): Promise<{ readonly complete_up_to: number; readonly ranges: Digest[] }> {
  const complete = await database.maybeOneFirst(sql.prepared('complete-up-to', z.object({ complete_up_to: z.number().nullable() }))`
    select complete_up_to from consumer_position where producer = ${producer}`);
  const digests: Digest[] = [];
  for (const { from, to } of ranges)
    digests.push(
      await database.one(sql.prepared('digest-processed', Row)`
        select ${from}::bigint as from, ${to}::bigint as to, count(*) as count,
          coalesce(md5(string_agg(number || ' ' || event_id, ',' order by number)), '') as hash
        from inbox where producer = ${producer} and number between ${from} and ${to}`),
    );
  return { complete_up_to: complete ?? 0, ranges: digests };
}
