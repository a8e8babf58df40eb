import { instantOf, type Queries } from '@corner/chassis';
import { queueStatuses, sessionSources } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Span } from '../rules/wait/floor.ts';
import { Booking, bookingColumns, nameSql } from './session-bookings.ts';
import { isOpenSql, Session, sessionColumns } from './sessions.ts';

const text = z.string().nullable();

const Diary = z.object({
  accepted: z.boolean(),
  notice_minutes: z.number(),
  deposit_item_id: text,
  occupied: z.array(z.object({ chairId: z.string(), from: z.number(), to: z.number(), started: z.boolean(), entryId: z.null() })),
  classes: z.array(Session.extend({ service_name: text, unit_name: text })),
});
export type Diary = z.output<typeof Diary>;

const instant = (at: number) => sql.fragment`${new Date(at).toISOString()}::timestamptz`;

/**
 * Null for an unknown store. Leaves out the session `without`, which is about to move. A chair may still be taken twelve hours after its
 * time.
 */
export const readDiary = (queries: Queries, storeId: string, { from, to }: Span, without: string | null = null): Promise<Diary | null> =>
  queries.maybeOne(sql.prepared('read-diary', Diary)`
    select t.live and t.bookings_accepted as accepted, t.booking_notice_minutes as notice_minutes,
      t.booking_deposit_item_id as deposit_item_id,
      (select coalesce(jsonb_agg(jsonb_build_object(
        'chairId', unit_id, 'from', extract(epoch from starts_at) * 1000, 'to', extract(epoch from until) * 1000, 'started', started, 'entryId', null)), '[]')
      from (
        select unit_id, starts_at, ends_at as until, state = 'started' as started from booking
        where store_id = t.id and state in ('booked', 'started') and ends_at > ${instant(from)} - interval '12 hours' and starts_at < ${instant(to)}
        union all
        select unit_id, starts_at, ends_at, true from seat
        where store_id = t.id and freed_at is null and ends_at > ${instant(from)} - interval '12 hours' and starts_at < ${instant(to)}
        union all
        select unit_id, starts_at, free_at, started from session
        where store_id = t.id and ${isOpenSql} and free_at > ${instant(from)} - interval '12 hours' and starts_at < ${instant(to)}
          and id is distinct from ${without}::uuid
      ) occupied) as occupied,
      (select coalesce(jsonb_agg(to_jsonb(c) order by c.starts_at, c.id), '[]') from (
        select ${sessionColumns}, ${nameSql('services', sql.fragment`s.store_id`, sql.fragment`s.service_id`)} as service_name,
          ${nameSql('units', sql.fragment`s.store_id`, sql.fragment`s.unit_id`)} as unit_name
        from session s
        where s.store_id = t.id and ${isOpenSql} and s.places > 1 and s.starts_at >= ${instant(from)} and s.starts_at < ${instant(to)}
      ) c) as classes
    from store t where t.id = ${storeId}`);

export const EntryOfDiary = z.object({
  appointment_id: z.string(),
  status: z.enum(queueStatuses),
  customer_id: text,
  customer_name: text,
  guest_name: text,
  guest_phone: text,
  party_size: z.number(),
  joined_at: z.string(),
  by_id: text,
  by_name: text,
});
export type EntryOfDiary = z.output<typeof EntryOfDiary>;

const entryOfDiarySql = sql.fragment`jsonb_build_object(
  'appointment_id', e.appointment_id, 'status', e.status, 'customer_id', e.customer_id,
  'customer_name', (select c.name from customer c where c.id = e.customer_id), 'guest_name', e.guest_name, 'guest_phone', e.guest_phone,
  'party_size', e.party_size, 'joined_at', ${instantOf(sql.fragment`e.joined_at`)}, 'by_id', e.by_id, 'by_name', e.by_name)`;

const DiaryRow = z.object({
  session_id: z.string(),
  source: z.enum(sessionSources),
  store_id: z.string(),
  service_id: text,
  service_name: text,
  unit_id: z.string(),
  unit_name: text,
  starts_at: z.string(),
  ends_at: z.string(),
  places: z.number(),
  taken: z.number(),
  state: z.enum(['open', 'done', 'cancelled']),
  bookings: z.array(Booking),
  entry: EntryOfDiary.nullable(),
});
export type DiaryRow = z.output<typeof DiaryRow>;

const diaryColumns = sql.fragment`
  d.id as session_id, d.source, d.store_id, d.service_id, d.unit_id, d.places, d.taken, d.state,
  ${nameSql('services', sql.fragment`d.store_id`, sql.fragment`d.service_id`)} as service_name,
  ${nameSql('units', sql.fragment`d.store_id`, sql.fragment`d.unit_id`)} as unit_name,
  ${instantOf(sql.fragment`d.starts_at`)} as starts_at, ${instantOf(sql.fragment`d.ends_at`)} as ends_at`;

const seatOfDiary = sql.fragment`
  appointment_id as id, 'walk_in' as source, store_id, null::uuid as service_id, unit_id, starts_at, coalesce(freed_at, ends_at) as ends_at,
  1 as places, 1 as taken, case when freed_at is null then 'open' else 'done' end as state`;

const upstreamOfDiary = sql.fragment`
  id, 'upstream' as source, store_id, null::uuid as service_id, unit_id, starts_at, ends_at, 1 as places, 1 as taken,
  case state when 'done' then 'done' when 'cancelled' then 'cancelled' else 'open' end as state`;

export const listDiary = (queries: Queries, storeId: string, { from, to }: Span): Promise<readonly DiaryRow[]> => {
  const within = sql.fragment`starts_at >= ${instant(from)} and starts_at < ${instant(to)}`;
  return queries.any(sql.prepared('list-diary', DiaryRow)`
    select ${diaryColumns},
      case when d.source = 'own' then (select coalesce(jsonb_agg(to_jsonb(r) order by r.made_at, r.id), '[]') from (
        select ${bookingColumns} from session_booking b join session s on s.id = b.session_id where b.session_id = d.id
      ) r) else '[]' end as bookings,
      (select ${entryOfDiarySql} from entry e where e.id = d.entry_ref) as entry
    from (
      select id, 'own' as source, store_id, service_id, unit_id, starts_at, ends_at, places, taken, state, null::uuid as entry_ref from session
      where store_id = ${storeId} and ${within}
      union all
      select ${seatOfDiary}, entry_ref from seat where store_id = ${storeId} and ${within} and coalesce(freed_at, ends_at) > starts_at
      union all
      select ${upstreamOfDiary}, null from booking where store_id = ${storeId} and ${within}
    ) d
    order by d.starts_at, d.unit_id, d.id`);
};

/**
 * Returns what an entry with this appointment became: the first of its seats, or a booking of the directory's diary. Null for an unknown
 * one.
 */
export const findEntryInDiary = (queries: Queries, storeId: string, appointmentId: string): Promise<DiaryRow | null> =>
  queries.maybeOne(sql.prepared('find-entry-in-diary', DiaryRow)`
    select ${diaryColumns}, '[]'::jsonb as bookings, (select ${entryOfDiarySql}) as entry
    from entry e
    cross join lateral (
      (select ${seatOfDiary} from seat where entry_ref = e.id and appointment_id = e.appointment_id order by starts_at limit 1)
      union all
      select ${upstreamOfDiary} from booking where id = e.appointment_id and store_id = e.store_id
    ) d
    where e.appointment_id = ${appointmentId} and e.store_id = ${storeId} limit 1`);
