import { columns, instantOf, type Queries, type Transaction } from '@corner/chassis';
import { PaceQuarter } from '@corner/contracts';
import { sql } from 'slonik';
import type { z } from 'zod';
import type { SwitchChange } from './switches.ts';

type QuarterRow = z.output<typeof PaceQuarter>;

const quarterColumns = columns(PaceQuarter, { alias: 'q', overrides: { starts_at: instantOf } });

/** Reads the quarters of a store within a span that anything was taken from, or that staff set; earliest first. */
export const listPaceQuarters = (queries: Queries, storeId: string, { from, until }: Span): Promise<readonly QuarterRow[]> =>
  queries.any(sql.prepared('list-pace-quarters', PaceQuarter)`
    select ${quarterColumns} from pace_quarter q
    where q.store_id = ${storeId} and q.starts_at >= ${from.toISOString()} and q.starts_at < ${until.toISOString()} order by q.starts_at`);

interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** Locks a quarter of a store, and returns it. Null when there is no row of it yet. */
export const lockPaceQuarter = (tx: Transaction, storeId: string, startsAt: Date): Promise<QuarterRow | null> =>
  tx.maybeOne(sql.prepared('lock-pace-quarter', PaceQuarter)`
    select ${quarterColumns} from pace_quarter q where q.store_id = ${storeId} and q.starts_at = ${startsAt.toISOString()} for update`);

/** Writes the capacity of a quarter with its log row. What was taken beyond it stays taken. */
export const savePaceQuarter = (
  tx: Transaction,
  { storeId, by, at }: SwitchChange,
  { startsAt, capacity, isByStaff }: { readonly startsAt: Date; readonly capacity: number; readonly isByStaff: boolean },
): Promise<QuarterRow> =>
  tx.one(sql.prepared('save-pace-quarter', PaceQuarter)`
    with logged as (
      insert into store_log_entry (store_id, at, kind, by_id, by_name, until, units_left)
      values (${storeId}, ${at.toISOString()}, ${isByStaff ? 'pace_set' : 'pace_unset'}, ${by.id}, ${by.name}, ${startsAt.toISOString()}, ${capacity})
    )
    insert into pace_quarter as q (store_id, starts_at, capacity, by_staff) values (${storeId}, ${startsAt.toISOString()}, ${capacity}, ${isByStaff})
    on conflict (store_id, starts_at) do update
    set capacity = excluded.capacity, by_staff = excluded.by_staff, over_capacity = greatest(0, q.taken - excluded.capacity)
    returning ${quarterColumns}`);
