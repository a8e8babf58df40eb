import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from '../running.ts';
import type { Shop } from './shop.ts';

/** For each event type, the types that may come directly before it about the same entry; null when it is the first. */
const predecessors: Readonly<Record<string, readonly (string | null)[]>> = {
  'queue.joined': [null],
  'queue.called': ['queue.joined', 'queue.recalled'],
  'queue.recalled': ['queue.called', 'queue.reopened'],
  'queue.assigned': ['queue.joined', 'queue.recalled', 'queue.called', 'queue.reopened'],
  'queue.completed': ['queue.assigned', 'queue.reopened'],
  'queue.no_show': ['queue.called', 'queue.assigned', 'queue.reopened'],
  'queue.reopened': ['queue.completed', 'queue.no_show'],
  'queue.converted': ['queue.joined', 'queue.recalled', 'queue.called', 'queue.reopened'],
  'queue.left': ['queue.joined', 'queue.recalled', 'queue.called', 'queue.assigned', 'queue.reopened'],
};
const statusAfter: Readonly<Record<string, string>> = {
  'queue.joined': 'waiting',
  'queue.recalled': 'waiting',
  'queue.called': 'called',
  'queue.assigned': 'assigned',
  'queue.completed': 'completed',
  'queue.left': 'left',
  'queue.no_show': 'no_show',
  'queue.converted': 'converted_to_appointment',
};

const Row = z.object({
  id: z.string(),
  entry_id: z.string(),
  status: z.string(),
  quoted_wait_min: z.number(),
  party_size: z.number(),
  seats_open: z.number(),
  logged: z.number(),
  by_id: z.string().nullable(),
  late_min: z.number().nullable(),
  late_by_seats: z.number().nullable(),
});
const Count = z.object({ count: z.number() });

/** Entries of the days before have no events and are left out. No request may be running meanwhile. */
export async function violatedInvariants(running: Running, shop: Shop): Promise<readonly string[]> {
  const { salon, known } = shop;
  const { database } = running.service;
  const { entries: listed } = (await salon.list()).body as { entries: ListedEntry[] };
  const rows = await database.any(sql.type(Row)`
    select id, entry_id, status, quoted_wait_min, party_size, by_id, late_min,
      (ceil(extract(epoch from coalesce(e.called_at, (select min(starts_at) from seat s where s.entry_ref = e.id)) - e.joined_at) / 60)
        - quoted_wait_min)::int as late_by_seats,
      (select count(*) from log_entry l where l.entry_ref = e.id) as logged,
      (select count(*) from seat s where s.entry_ref = e.id and freed_at is null) as seats_open
    from entry e where store_id = ${salon.storeId} and joined_at >= '2026-05-01'`);
  return [
    ...shop.violations,
    ...(await leftOfErased(running, shop)),
    ...violationsInList(listed, running.clock.now()),
    ...(await violationsInStatus(shop, listed)),
    ...rows.flatMap((row) => {
      const entry = known.find(({ entryId }) => entryId === row.entry_id);
      return [
        ...(entry && entry.quoted !== row.quoted_wait_min ? [`quoted ${entry.quoted}, stored ${row.quoted_wait_min}`] : []),
        ...(entry?.ended && entry.ended !== row.status ? [`returned as ${entry.ended}, stored as ${row.status}`] : []),
        ...(row.late_min === row.late_by_seats ? [] : [`late by ${row.late_min} minutes, by call and seats ${row.late_by_seats}`]),
        ...(row.status === 'assigned' && row.seats_open !== row.party_size ? [`${row.party_size} people on ${row.seats_open} seats`] : []),
        ...(row.seats_open > 0 === (row.status === 'assigned') ? [] : [`${row.seats_open} seats in use by an entry that is ${row.status}`]),
      ];
    }),
    ...(await violationsInSeats(running, salon.storeId)),
    ...(await violationsInEvents(shop, rows)),
  ];
}

const leftOfErased = async ({ service }: Running, { erased }: Shop): Promise<readonly string[]> =>
  await service.database.anyFirst(sql.type(z.object({ what: z.string() }))`
    select 'an erased customer has a name' as what from customer where id = ${erased}
    union all select 'a place names an erased customer' from entry
      where customer_id = ${erased} and num_nonnulls(guest_name, guest_phone) > 0`);

interface ListedEntry {
  readonly entry_id: string;
  readonly customer_id: string | null;
  readonly status: string;
  readonly joined_at: string;
  readonly queue_position: number | null;
  readonly hold_until: string | null;
}

function violationsInList(listed: readonly ListedEntry[], now: Date): string[] {
  const waiting = listed.filter(({ status }) => status === 'waiting').toSorted((a, b) => (a.joined_at < b.joined_at ? -1 : 1));
  const customers = listed.flatMap(({ customer_id }) => customer_id ?? []);
  return [
    ...waiting.flatMap(({ queue_position }, index) => (queue_position === index + 1 ? [] : [`position ${index + 1} is ${queue_position}`])),
    ...(new Set(customers).size === customers.length ? [] : ['a customer has two active entries']),
    ...listed.flatMap(({ status, hold_until, queue_position }) => [
      ...(status !== 'waiting' && queue_position !== null ? [`an entry that is ${status} has position ${queue_position}`] : []),
      ...(hold_until !== null && Date.parse(hold_until) <= now.getTime() ? ['a lapsed call is listed'] : []),
    ]),
  ];
}

async function violationsInStatus({ salon, known, tokenOf }: Shop, listed: readonly ListedEntry[]): Promise<string[]> {
  const latest = known.slice(-6);
  const differing = await Promise.all(
    latest.map(async (entry) => {
      const token = await tokenOf(entry);
      const own = (await salon.status({ entry_id: entry.entryId }, token)).body.entry;
      const inList = listed.find(({ entry_id }) => entry_id === entry.entryId);
      if (inList && (own?.status !== inList.status || own.queue_position !== inList.queue_position))
        return [`the owner sees ${own?.status} ${own?.queue_position}, the store ${inList.status} ${inList.queue_position}`];
      const seenByGuest = token === null ? null : (await salon.status({ entry_id: entry.entryId })).body.entry;
      return seenByGuest ? ['a guest sees a customer’s entry'] : [];
    }),
  );
  return differing.flat();
}

async function violationsInSeats({ service: { database } }: Running, storeId: string): Promise<string[]> {
  const shared = await database.oneFirst(sql.type(Count)`
    select count(*) from seat a join seat b on a.unit_id = b.unit_id and (a.appointment_id, a.starts_at) < (b.appointment_id, b.starts_at)
    where a.store_id = ${storeId} and a.starts_at < coalesce(a.freed_at, 'infinity') and b.starts_at < coalesce(b.freed_at, 'infinity')
      and tstzrange(a.starts_at, least(a.freed_at, a.ends_at)) && tstzrange(b.starts_at, least(b.freed_at, b.ends_at))`);
  return shared === 0 ? [] : [`${shared} chairs are given to two entries at once`];
}

/**
 * Checks that each entry's events are numbered without gaps, follow each other as allowed, end in the entry's status and name who made the
 * last change, and that each has a row of the log.
 */
async function violationsInEvents(shop: Shop, rows: readonly z.output<typeof Row>[]): Promise<string[]> {
  const events = await shop.salon.published();
  const early = events.filter(
    ({ type, data, aggregate_id, sequence }) =>
      type === 'queue.no_show' &&
      !events.some((call) => call.aggregate_id === aggregate_id && call.sequence === sequence - 1 && call.data.hold_until <= data.at),
  );
  const byEntry = Map.groupBy(events, ({ aggregate_id }) => aggregate_id);
  return [
    ...(early.length > shop.noShowsByStaff ? [`${early.length} no-shows without a lapsed call, ${shop.noShowsByStaff} by staff`] : []),
    ...rows.flatMap(({ id, status, logged, by_id }) => {
      const chain = byEntry.get(id) ?? [];
      const broken = chain.flatMap(({ type, sequence }, index) =>
        sequence === index + 1 && predecessors[type]?.includes(chain[index - 1]?.type ?? null) ? [] : [`${type} as event ${sequence}`],
      );
      const last = chain.at(-1);
      const end = last?.type === 'queue.reopened' ? (last.data.hold_until ? 'called' : 'assigned') : statusAfter[last?.type ?? ''];
      return [
        ...broken,
        ...(end === status ? [] : [`published as ${end}, stored as ${status}`]),
        ...(chain.length === logged ? [] : [`${chain.length} events and ${logged} rows of the log`]),
        ...((last?.data.by_id ?? null) === by_id ? [] : [`published by ${last?.data.by_id}, stored by ${by_id}`]),
      ];
    }),
  ];
}
