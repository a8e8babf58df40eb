import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { closingOf } from '../rules/closing.ts';
import { callLapsed, dayIsOver } from '../rules/moves.ts';
import type { Floor, Party } from '../rules/wait/floor.ts';
import { type Place, placeParties } from '../rules/wait/place-parties.ts';
import { Entry, entryColumns, isHeld } from './entries.ts';

const ms = z.iso.datetime({ offset: true }).transform((at) => Date.parse(at));
const Span = z.object({ starts_at: ms, ends_at: ms }).transform(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at }));

const Live = z.object({
  hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
  time_zone: z.string(),
  walk_ins_accepted: z.boolean(),
  called_hold_minutes: z.number(),
  services: z.array(
    z
      .object({ id: z.string(), minutes: z.number(), buffer_minutes: z.number() })
      .transform(({ id, minutes, buffer_minutes }) => ({ id, minutes, bufferMinutes: buffer_minutes })),
  ),
  chairs: z.array(
    z
      .object({ id: z.string(), service_ids: z.array(z.string()), shifts: z.array(Span), breaks: z.array(Span) })
      .transform(({ id, service_ids, shifts, breaks }) => ({ id, serviceIds: service_ids, shifts, breaks })),
  ),
  entries: z.array(Entry),
  taken: z.array(z.object({ chairId: z.string(), from: z.number(), to: z.number(), started: z.boolean() })),
  forgotten: z.array(z.string()),
});

/** A store's queue as it is at one moment. */
export interface LiveQueue {
  readonly storeId: string;
  readonly at: Date;
  readonly walkInsAccepted: boolean;
  readonly calledHoldMinutes: number;
  readonly floor: Floor;
  /** Those who hold a place: who is called first, then who waits, each in the order of joining, then who is in a chair. */
  readonly entries: readonly Entry[];
  /** Those whose place time has ended already, and by which deed. */
  readonly overdue: readonly (readonly [Entry, 'noShow' | 'leave' | 'complete'])[];
  /** Where each of those who are called or wait would sit; null where the day has no place left. */
  readonly places: ReadonlyMap<string, readonly Place[] | null>;
}

/** Reads a store's queue. Null when the directory has told of no such store. */
export async function readQueue(queries: Queries, storeId: string, at: Date): Promise<LiveQueue | null> {
  // One statement sees one moment: nobody is both in line and in a chair, or in neither.
  const store = await queries.maybeOne(sql.prepared('live-queue', Live)`
    select s.hours, s.time_zone, s.live and s.walk_ins_accepted as walk_ins_accepted, s.called_hold_minutes,
      coalesce(f.services, '[]') as services, coalesce(f.units, '[]') as chairs, (${takenAt(storeId, at)}) as taken,
      (${entriesHeldAt(storeId)}) as entries,
      array(select e.id::text from entry e where e.store_id = ${storeId} and ${isForgotten(at)}) as forgotten
    from store s left join floor f on f.store_id = s.id where s.id = ${storeId}`);
  if (!store) return null;
  const { entries } = store;
  const now = at.getTime();
  const floor = {
    now,
    closesAt: closingOf(store.hours, store.time_zone, now) ?? now,
    services: store.services,
    chairs: store.chairs,
    taken: store.taken,
  };
  const inLine = entries.filter(({ status }) => status !== 'assigned');
  const placed = placeParties(floor, inLine.map(partyOf));
  return {
    storeId,
    at,
    walkInsAccepted: store.walk_ins_accepted,
    calledHoldMinutes: store.called_hold_minutes,
    floor,
    entries,
    overdue: overdueOf(store, now),
    places: new Map(inLine.map(({ id }, index) => [id, placed[index] ?? null])),
  };
}

/** Working out when a day closes takes longer than all the rest, so the line is followed only as far as somebody is late. */
function overdueOf({ entries, forgotten, hours, time_zone }: z.output<typeof Live>, now: number): LiveQueue['overdue'] {
  const lapsed = entries.filter(({ hold_until }) => callLapsed(hold_until === null ? null : Date.parse(hold_until), now));
  const waiting = entries.filter(({ status }) => status === 'waiting');
  const intime = waiting.findIndex(({ joined_at }) => !dayIsOver(closingOf(hours, time_zone, Date.parse(joined_at)), now));
  const late = intime === -1 ? waiting : waiting.slice(0, intime);
  const seated = entries.filter(({ id }) => forgotten.includes(id));
  return [
    ...lapsed.map((entry) => [entry, 'noShow'] as const),
    ...late.map((entry) => [entry, 'leave'] as const),
    ...seated.map((entry) => [entry, 'complete'] as const),
  ];
}

const entriesHeldAt = (storeId: string) => sql.fragment`
  select coalesce(jsonb_agg(to_jsonb(held)), '[]') from (
    select ${entryColumns} from entry e where e.store_id = ${storeId} and ${isHeld}
    order by array_position(array['called', 'waiting'], e.status) nulls last, e.joined_at, e.id
  ) held`;

/** Whether an entry, of a table called e, is in a chair whose time was over half a day ago: nobody sits that long, it was forgotten. */
export const isForgotten = (at: Date) => sql.fragment`
  e.status = 'assigned' and not exists (
    select from seat s where s.entry_id = e.id and s.freed_at is null and s.ends_at > ${at.toISOString()}::timestamptz - interval '12 hours')`;

/** What takes a chair's time at a store: the diary's bookings, and seats given to walk-ins; of neither what was forgotten. */
const takenAt = (storeId: string, at: Date) => sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object(
    'chairId', unit_id, 'from', extract(epoch from starts_at) * 1000, 'to', extract(epoch from ends_at) * 1000, 'started', started)), '[]')
  from (
    select unit_id, starts_at, ends_at, state = 'started' as started from booking
    where store_id = ${storeId} and state in ('booked', 'started') and ends_at > ${at.toISOString()}::timestamptz - interval '12 hours'
      and starts_at < ${at.toISOString()}::timestamptz + interval '3 days'
    union all
    select unit_id, starts_at, ends_at, starts_at <= ${at.toISOString()}::timestamptz from seat
    where store_id = ${storeId} and freed_at is null and ends_at > ${at.toISOString()}::timestamptz - interval '12 hours'
  ) busy`;

export const partyOf = (entry: Pick<Entry, 'service_id' | 'preferred_unit_id' | 'party_size'>): Party => ({
  serviceId: entry.service_id,
  chairId: entry.preferred_unit_id,
  size: entry.party_size,
});
