import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { type CustomerAt, programmeOfSql } from '../card/tables/programmes.ts';

export const storesRewardingVisits = async (tx: Transaction, storeIds: readonly string[]): Promise<readonly string[]> =>
  await tx.anyFirst(sql.prepared('stores-rewarding-visits', z.object({ store_id: z.string() }))`
    select s.store_id from (select distinct unnest(${sql.array([...storeIds], 'uuid')}) as store_id) s
    cross join lateral (
      select from programme p
      where p.store_id = ${programmeOfSql(sql.fragment`s.store_id`)} and p.enabled and p.settings ->> 'driver' = 'visits' offset 0) p`);

/** A visit, as one event of a place in the queue reports it. `ref` names the place. `completed` is false when that was undone. */
export interface Visit extends CustomerAt {
  readonly ref: string;
  readonly sequence: number;
  readonly completed: boolean;
}

const Entered = z.object({ earlier: z.boolean() });

/**
 * Records an event of a visit. Returns whether the visit counted as completed before; null for an event older than one that was recorded.
 * The card is locked.
 */
export const enterVisit = async (tx: Transaction, visit: Visit): Promise<z.output<typeof Entered> | null> =>
  await tx.maybeOne(sql.prepared('enter-visit', Entered)`
    insert into visit (ref, store_id, customer_id, sequence, completed)
    values (${visit.ref}, ${visit.storeId}, ${visit.customerId}, ${visit.sequence}, ${visit.completed})
    on conflict (ref) do update set sequence = excluded.sequence, completed = excluded.completed
    where visit.sequence < excluded.sequence
    returning coalesce(old.completed, false) as earlier`);
