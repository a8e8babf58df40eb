import { sql } from 'slonik';
import { z } from 'zod';
import { instantOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

/** A limit, because counting a large backlog would add to the load. */
const countedAtMost = 10_000;

const Backlog = z.object({
  dead: z.number(),
  backlog: z.number(),
  age: z.number(),
  oldest: z.string().nullable(),
});
type Backlog = z.output<typeof Backlog>;

/** The backlog: events of batches without an acknowledgement, and events that no batch has read yet. */
export const readBacklog = (database: Database): Promise<Backlog> =>
  database.one(sql.prepared('read-backlog', Backlog)`
    with known as (
      select coalesce(
        (select snapshot_before from relay_batch where acked_at is null order by first_number limit 1),
        (select snapshot from relay_state)) as snapshot
    ), unpublished as (
      select o.created_at from outbox o, known
      where o.transaction_id >= pg_snapshot_xmin(known.snapshot) and not pg_visible_in_snapshot(o.transaction_id, known.snapshot)
      order by o.transaction_id limit ${countedAtMost}
    )
    select count(*) as backlog,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - min(created_at))), 0)::float8 as age,
      ${instantOf(sql.fragment`min(created_at)`)} as oldest,
      (select count(*) from dead_letter where settled_at is null) as dead
    from unpublished`);
