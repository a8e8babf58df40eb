import { instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { QueueSnapshot } from '../rules/live-queue.ts';
import { Entry, entryColumns, isAbandonedSql, isActiveEntrySql } from './entries.ts';
import { isOpenSql } from './sessions.ts';

/** Locks a store's queue until the transaction ends. Every change locks it first, then rows of `entry` and `seat`. */
export async function lockFloor(queries: Queries, storeId: string): Promise<void> {
  await queries.any(sql.prepared('lock-floor', z.object({ version: z.number() }))`
    select version from floor where store_id = ${storeId} for no key update`);
}

/**
 * Reads everything about a store's queue in one statement, so that all of it is of one moment. Null for an unknown store. `subscriber`:
 * what the caller's address counts toward.
 */
export const readQueueSnapshot = async (
  queries: Queries,
  storeId: string,
  now: Date,
  subscriber: string | null,
): Promise<QueueSnapshot<Entry> | null> =>
  await queries.maybeOne(sql.prepared('queue-snapshot', Snapshot)`
    select ${snapshotColumnsSql(now, subscriber)} from store s left join floor f on f.store_id = s.id where s.id = ${storeId}`);

/** Includes an entry that has ended. Null for an unknown credential. */
export const readEntryAndQueue = async (queries: Queries, entryId: string, now: Date): Promise<EntryAndQueue | null> =>
  await queries.maybeOne(sql.prepared('entry-and-queue', z.object({ entry: Entry, snapshot: Snapshot }))`
    select (select to_jsonb(own) from (select ${entryColumns}) own) as entry,
      (select to_jsonb(snapshot) from (select ${snapshotColumnsSql(now, null)}) snapshot) as snapshot
    from entry e join store s on s.id = e.store_id left join floor f on f.store_id = s.id
    where e.entry_id = ${entryId}`);

export interface EntryAndQueue {
  readonly entry: Entry;
  readonly snapshot: QueueSnapshot<Entry>;
}

const snapshotColumnsSql = (now: Date, subscriber: string | null) => sql.fragment`
  s.hours, s.time_zone, s.live and s.walk_ins_accepted as walk_ins_accepted, s.called_hold_minutes,
  s.closures, ${instantOf(sql.fragment`s.paused_until`)} as paused_until, (${walkInSwitchSql}) as switched,
  coalesce(f.services, '[]') as services, coalesce(f.units, '[]') as units, (${occupiedSql(now)}) as occupied, (${activeEntriesSql}) as entries,
  array(select e.id::text from entry e where e.store_id = s.id and ${isAbandonedSql(now)}) as abandoned_ids,
  ${addressHashSql(subscriber)} as caller_hash, (${chainHeadSql}) as chain`;

const chainHeadSql = sql.fragment`
  select jsonb_build_object('number', l.number, 'hash', encode(l.hash, 'hex')) from log_entry l
  where l.store_id = s.id and l.number is not null order by l.number desc limit 1`;

/** Hashed under the store's key; null without an address or a floor. */
const addressHashSql = (subscriber: string | null) =>
  sql.fragment`encode(sha256(uuid_send(f.address_key) || convert_to(${subscriber}::text, 'utf8')), 'hex')`;

const walkInSwitchSql = sql.fragment`
  select jsonb_build_object('open', w.open, 'until', ${instantOf(sql.fragment`w.until`)}, 'by', jsonb_build_object('id', w.by_id, 'name', w.by_name))
  from walk_ins w where w.store_id = s.id`;

const activeEntriesSql = sql.fragment`
  select coalesce(jsonb_agg(to_jsonb(active)), '[]') from (
    select ${entryColumns} from entry e where e.store_id = s.id and ${isActiveEntrySql}
    order by array_position(array['called', 'waiting'], e.status) nulls last, e.joined_at, e.id
  ) active`;

/** The bookings of the directory's diary, those made here, and the seats of walk-ins, without those whose time ended twelve hours ago. */
const occupiedSql = (now: Date) => sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object(
    'chairId', unit_id, 'from', extract(epoch from starts_at) * 1000, 'to', extract(epoch from ends_at) * 1000, 'started', started, 'entryId', entry_ref)), '[]')
  from (
    select unit_id, starts_at, ends_at, state = 'started' as started, null::uuid as entry_ref from booking
    where store_id = s.id and state in ('booked', 'started') and ends_at > ${now.toISOString()}::timestamptz - interval '12 hours'
      and starts_at < ${now.toISOString()}::timestamptz + interval '3 days'
    union all
    select unit_id, starts_at, free_at, started, null from session
    where store_id = s.id and ${isOpenSql} and free_at > ${now.toISOString()}::timestamptz - interval '12 hours'
      and starts_at < ${now.toISOString()}::timestamptz + interval '3 days'
    union all
    select unit_id, starts_at, ends_at, starts_at <= ${now.toISOString()}::timestamptz, entry_ref from seat
    where store_id = s.id and freed_at is null and ends_at > ${now.toISOString()}::timestamptz - interval '12 hours'
  ) occupied`;

const milliseconds = z.iso.datetime({ offset: true }).transform((instant) => Date.parse(instant));
const Span = z
  .object({ starts_at: milliseconds, ends_at: milliseconds })
  .transform(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at }));
const Service = z
  .object({ id: z.string(), name: z.string(), minutes: z.number(), buffer_minutes: z.number() })
  .transform(({ id, name, minutes, buffer_minutes }) => ({ id, name, minutes, bufferMinutes: buffer_minutes }));
const Chair = z
  .object({ id: z.string(), name: z.string(), service_ids: z.array(z.string()), shifts: z.array(Span), breaks: z.array(Span) })
  .transform(({ id, name, service_ids, shifts, breaks }) => ({ id, name, serviceIds: service_ids, shifts, breaks }));

const Snapshot = z
  .object({
    hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
    time_zone: z.string(),
    walk_ins_accepted: z.boolean(),
    called_hold_minutes: z.number(),
    closures: z.array(Span),
    paused_until: milliseconds.nullable(),
    switched: z
      .object({ open: z.boolean(), until: milliseconds.nullable(), by: z.object({ id: z.string(), name: z.string().nullable() }) })
      .nullable(),
    services: z.array(Service),
    units: z.array(Chair),
    occupied: z.array(
      z.object({ chairId: z.string(), from: z.number(), to: z.number(), started: z.boolean(), entryId: z.string().nullable() }),
    ),
    entries: z.array(Entry),
    abandoned_ids: z.array(z.string()),
    caller_hash: z.string().nullable(),
    chain: z.object({ number: z.number(), hash: z.string() }).nullable(),
  })
  .transform((row) => ({
    hours: row.hours,
    timeZone: row.time_zone,
    walkIns: { accepted: row.walk_ins_accepted, closures: row.closures, pausedUntil: row.paused_until, switched: row.switched },
    calledHoldMinutes: row.called_hold_minutes,
    services: row.services,
    chairs: row.units,
    occupied: row.occupied,
    entries: row.entries,
    abandonedIds: row.abandoned_ids,
    callerHash: row.caller_hash,
    chain: row.chain,
  }));
