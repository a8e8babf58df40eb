import { columns, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { ChangedBy } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { LogKind } from '../rules/log.ts';
import { loggedSql } from './log.ts';
import { nameSql } from './session-bookings.ts';
import { Session, sessionColumns } from './sessions.ts';

const MadeDay = Session.extend({
  /** The day at the store that it was made for. */
  day: z.string(),
  changed_by_staff: z.boolean(),
});
export type MadeDay = z.output<typeof MadeDay>;

export const WeeklyClass = z.object({
  id: z.string(),
  store_id: z.string(),
  service_id: z.string(),
  unit_id: z.string().nullable(),
  days: z.array(z.number()),
  begins: z.string(),
  minutes: z.number(),
  places: z.number(),
  from_date: z.string(),
  until_date: z.string().nullable(),
  ended: z.boolean(),
  /** Null when the store offers the service, or has the chair, no more. */
  service_name: z.string().nullable(),
  unit_name: z.string().nullable(),
  /** The classes that were made for today and the days after it. */
  made: z.array(MadeDay),
});
export type WeeklyClass = z.output<typeof WeeklyClass>;

/** A day is today at the store from the day before it in UTC on, at the earliest. */
const weeklyClassColumns = (now: Date) =>
  columns(WeeklyClass, {
    alias: 'w',
    overrides: {
      from_date: (column) => sql.fragment`${column}::text`,
      until_date: (column) => sql.fragment`${column}::text`,
      ended: sql.fragment`w.ended_at is not null`,
      service_name: nameSql('services', sql.fragment`w.store_id`, sql.fragment`w.service_id`),
      unit_name: nameSql('units', sql.fragment`w.store_id`, sql.fragment`w.unit_id`),
      made: sql.fragment`(select coalesce(jsonb_agg(to_jsonb(m) order by m.day), '[]') from (
        select ${sessionColumns}, d.day::text as day, d.changed_by_staff
        from weekly_class_day d join session s on s.id = d.session_id
        where d.weekly_class_id = w.id and d.day >= (${now.toISOString()}::timestamptz at time zone 'utc')::date - 1
      ) m)`,
    },
  });

export const findWeeklyClass = (queries: Queries, storeId: string, id: string, now: Date): Promise<WeeklyClass | null> =>
  queries.maybeOne(sql.prepared('find-weekly-class', WeeklyClass)`
    select ${weeklyClassColumns(now)} from weekly_class w where w.id = ${id} and w.store_id = ${storeId}`);

/** Those that have not ended, in the order in which they were made. */
export const listWeeklyClasses = (queries: Queries, storeId: string, now: Date): Promise<readonly WeeklyClass[]> =>
  queries.any(sql.prepared('list-weekly-classes', WeeklyClass)`
    select ${weeklyClassColumns(now)} from weekly_class w where w.store_id = ${storeId} and w.ended_at is null order by w.made_at, w.id`);

export const findStoresWithWeeklyClasses = (queries: Queries): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('stores-with-weekly-classes', z.object({ store_id: z.string() }))`
    select distinct store_id from weekly_class where ended_at is null`);

/** Inserts it, or sets all of it that can change, and logs that. */
export async function saveWeeklyClass(tx: Transaction, weekly: SavedWeeklyClass, kind: LogKind, by: ChangedBy): Promise<void> {
  await tx.query(sql.prepared('save-weekly-class', NoColumns)`
    with logged as (${loggedSql({ storeId: weekly.store_id, entryRef: null, at: tx.now, kind, by })})
    insert into weekly_class (id, store_id, service_id, unit_id, days, begins, minutes, places, from_date, until_date, made_at)
    values (${weekly.id}, ${weekly.store_id}, ${weekly.service_id}, ${weekly.unit_id}, ${sql.jsonb([...weekly.days])}, ${weekly.begins},
      ${weekly.minutes}, ${weekly.places}, ${weekly.from_date}, ${weekly.until_date}, ${tx.now.toISOString()})
    on conflict (id) do update
    set unit_id = excluded.unit_id,
        days = excluded.days,
        begins = excluded.begins,
        minutes = excluded.minutes,
        places = excluded.places,
        until_date = excluded.until_date,
        ended_at = case when ${weekly.ended}::boolean then excluded.made_at end`);
}

export type SavedWeeklyClass = Omit<WeeklyClass, 'service_name' | 'unit_name' | 'made'>;

/** A second class for one day violates the primary key, and its transaction fails. */
export async function insertDay(tx: Transaction, weeklyClassId: string, day: string, sessionId: string): Promise<void> {
  await tx.query(sql.prepared('insert-weekly-class-day', NoColumns)`
    insert into weekly_class_day (weekly_class_id, day, session_id) values (${weeklyClassId}, ${day}, ${sessionId})`);
}

/** The day is free for another class. */
export async function deleteDay(tx: Transaction, sessionId: string): Promise<void> {
  await tx.query(sql.prepared('delete-weekly-class-day', NoColumns)`delete from weekly_class_day where session_id = ${sessionId}`);
}

/** A class that no week has made stays without a mark. */
export async function markChangedByStaff(tx: Transaction, sessionId: string): Promise<void> {
  await tx.query(sql.prepared('mark-changed-by-staff', NoColumns)`
    update weekly_class_day set changed_by_staff = true where session_id = ${sessionId}`);
}
