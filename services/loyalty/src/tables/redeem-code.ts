import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Code = z.object({
  id: z.string(),
  store_id: z.string(),
  store_code: z.string(),
  store_name: z.string(),
  enabled: z.boolean(),
  goal: z.number(),
  source: z.string(),
  proved: z.boolean(),
  customer_id: z.string().nullable(),
  expired: z.boolean(),
  used: z.boolean(),
});
/** A code with the store it belongs to. */
export type Code = z.output<typeof Code>;

/** Finds a code by its hash. */
export async function findCode(tx: Transaction, hash: Buffer, at: Date): Promise<Code | null> {
  return await tx.maybeOne(sql.prepared('find-code', Code)`
    select c.id, c.store_id, s.code as store_code, s.name as store_name, coalesce(p.enabled, false) as enabled, coalesce(p.goal, 0) as goal,
      c.source, c.proved, c.customer_id, c.expires_at <= ${at.toISOString()} as expired, c.used_at is not null as used
    from stamp_code c join store s on s.id = c.store_id left join programme p on p.store_id = c.store_id
    where c.hash = ${sql.binary(hash)}`);
}

const Used = z.object({ proved: z.boolean(), source: z.string() });

/** Uses a code up. Null when somebody was first; else what its stamp comes from, as it stands at that moment. */
export async function useCode(tx: Transaction, id: string, at: Date): Promise<z.output<typeof Used> | null> {
  return await tx.maybeOne(sql.prepared('use-code', Used)`
    update stamp_code set used_at = ${at.toISOString()} where id = ${id} and used_at is null returning proved, source`);
}
