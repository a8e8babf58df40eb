import { sql } from 'slonik';
import { z } from 'zod';
import { columns, instantOf } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';

const DeadLetter = z.object({
  event_id: z.string(),
  type: z.string(),
  payload: z.string(),
  error: z.string(),
  attempts: z.number(),
  dead_lettered_at: z.string(),
  settled_at: z.string().nullable(),
  settled_as: z.enum(['retried', 'discarded']).nullable(),
  settled_by: z.string().nullable(),
  settled_reason: z.string().nullable(),
});
export type DeadLetter = z.output<typeof DeadLetter>;

export interface DeadLettersQuery {
  readonly event_id?: string | undefined;
  readonly type?: string | undefined;
  /** True to include those that were retried or discarded. */
  readonly settled: boolean;
  readonly after?: { readonly dead_lettered_at: string; readonly event_id: string } | undefined;
}

export async function readDeadLetters(
  database: Queries,
  { event_id, type, settled, after }: DeadLettersQuery,
  limit: number,
): Promise<readonly DeadLetter[]> {
  return await database.any(sql.type(DeadLetter)`
    select ${columns(DeadLetter, { overrides: { dead_lettered_at: instantOf, settled_at: instantOf } })} from dead_letter
    where (${settled} or settled_at is null)
      and (${event_id ?? null}::uuid is null or event_id = ${event_id ?? null}::uuid)
      and (${type ?? null}::text is null or type = ${type ?? null}::text)
      and (${after?.dead_lettered_at ?? null}::timestamptz is null
        or (dead_letter.dead_lettered_at, event_id) > (${after?.dead_lettered_at ?? null}::timestamptz, ${after?.event_id ?? null}::uuid))
    order by dead_letter.dead_lettered_at, event_id
    limit ${limit}`);
}
