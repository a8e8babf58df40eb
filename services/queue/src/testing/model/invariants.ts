import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from '../running.ts';
import type { Shop } from './shop.ts';

/** Where each telling may lead from, as the page of states has it; null is before the first. */
const after: Readonly<Record<string, readonly (string | null)[]>> = {
  'queue.joined': [null],
  'queue.called': ['queue.joined', 'queue.recalled'],
  'queue.recalled': ['queue.called'],
  'queue.assigned': ['queue.joined', 'queue.recalled', 'queue.called'],
  'queue.completed': ['queue.assigned'],
  'queue.no_show': ['queue.called', 'queue.assigned'],
  'queue.converted': ['queue.joined', 'queue.recalled', 'queue.called'],
  'queue.left': ['queue.joined', 'queue.recalled', 'queue.called', 'queue.assigned'],
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
  seats: z.number(),
  seats_open: z.number(),
});
const Count = z.object({ count: z.number() });

/** Everything that is not as it should be while nobody does anything, in words. */
export async function wrongAtRest(running: Running, shop: Shop): Promise<readonly string[]> {
  const { salon, known } = shop;
  const { database } = running.service;
  const { entries: shown } = (await salon.list()).body as { entries: Shown[] };
  const rows = await database.any(sql.type(Row)`
    select id, entry_id, status, quoted_wait_min, party_size,
      (select count(*) from seat s where s.entry_ref = e.id) as seats,
      (select count(*) from seat s where s.entry_ref = e.id and freed_at is null) as seats_open
    from entry e where store_id = ${salon.storeId}`);
  return [
    ...shop.wrong,
    ...wrongInLine(shown, running.clock.now()),
    ...(await wrongToOwners(shop, shown)),
    ...rows.flatMap((row) => {
      const published = known.find(({ entryId }) => entryId === row.entry_id);
      return [
        ...(published && published.quoted !== row.quoted_wait_min ? [`quoted ${published.quoted}, kept ${row.quoted_wait_min}`] : []),
        ...(published?.ended && published.ended !== row.status ? [`said to be ${published.ended}, kept as ${row.status}`] : []),
        ...(row.status === 'assigned' && row.seats !== row.party_size ? [`${row.party_size} people on ${row.seats} seats`] : []),
        ...(row.seats_open > 0 === (row.status === 'assigned') ? [] : [`${row.seats_open} seats kept by who is ${row.status}`]),
      ];
    }),
    ...(await wrongInChairs(running, salon.storeId)),
    ...(await wrongTellings(shop, rows)),
  ];
}

interface Shown {
  readonly entry_id: string;
  readonly customer_id: string | null;
  readonly status: string;
  readonly joined_at: string;
  readonly queue_position: number | null;
  readonly hold_until: string | null;
}

function wrongInLine(shown: readonly Shown[], now: Date): string[] {
  const waiting = shown.filter(({ status }) => status === 'waiting').toSorted((a, b) => (a.joined_at < b.joined_at ? -1 : 1));
  const customers = shown.flatMap(({ customer_id }) => customer_id ?? []);
  return [
    ...waiting.flatMap(({ queue_position }, index) => (queue_position === index + 1 ? [] : [`place ${index + 1} is ${queue_position}`])),
    ...(new Set(customers).size === customers.length ? [] : ['a customer has two places']),
    ...shown.flatMap(({ status, hold_until, queue_position }) => [
      ...(status !== 'waiting' && queue_position !== null ? [`who is ${status} has place ${queue_position}`] : []),
      ...(hold_until !== null && Date.parse(hold_until) <= now.getTime() ? ['a call that lapsed is shown'] : []),
    ]),
  ];
}

/** Each owner is shown what the store is shown, and nobody else anything. */
async function wrongToOwners({ salon, known, tokenOf }: Shop, shown: readonly Shown[]): Promise<string[]> {
  const latest = known.slice(-6);
  const differing = await Promise.all(
    latest.map(async (entry) => {
      const token = await tokenOf(entry);
      const own = (await salon.status({ entry_id: entry.entryId }, token)).body.entry;
      const listed = shown.find(({ entry_id }) => entry_id === entry.entryId);
      if (listed && (own?.status !== listed.status || own.queue_position !== listed.queue_position))
        return [`its owner sees ${own?.status} ${own?.queue_position}, the store ${listed.status} ${listed.queue_position}`];
      const foreign = token === null ? null : (await salon.status({ entry_id: entry.entryId })).body.entry;
      return foreign ? ['a stranger sees a customer’s entry'] : [];
    }),
  );
  return differing.flat();
}

async function wrongInChairs({ service: { database } }: Running, storeId: string): Promise<string[]> {
  const shared = await database.oneFirst(sql.type(Count)`
    select count(*) from seat a join seat b on a.unit_id = b.unit_id and (a.appointment_id, a.starts_at) < (b.appointment_id, b.starts_at)
    where a.store_id = ${storeId} and a.starts_at < coalesce(a.freed_at, 'infinity') and b.starts_at < coalesce(b.freed_at, 'infinity')
      and tstzrange(a.starts_at, least(a.freed_at, a.ends_at)) && tstzrange(b.starts_at, least(b.freed_at, b.ends_at))`);
  return shared === 0 ? [] : [`${shared} chairs are given to two`];
}

/** One telling a change, each leading on from the one before, the last one to where the entry is. */
async function wrongTellings(shop: Shop, rows: readonly z.output<typeof Row>[]): Promise<string[]> {
  const published = await shop.salon.published();
  const early = published.filter(
    ({ type, data, aggregate_id, sequence }) =>
      type === 'queue.no_show' &&
      !published.some((call) => call.aggregate_id === aggregate_id && call.sequence === sequence - 1 && call.data.hold_until <= data.at),
  );
  const byEntry = Map.groupBy(published, ({ aggregate_id }) => aggregate_id);
  return [
    ...(early.length > shop.noShowsByStaff ? [`${early.length} no-shows, ${shop.noShowsByStaff} by staff`] : []),
    ...rows.flatMap(({ id, status }) => {
      const chain = byEntry.get(id) ?? [];
      const broken = chain.flatMap(({ type, sequence }, index) =>
        sequence === index + 1 && after[type]?.includes(chain[index - 1]?.type ?? null) ? [] : [`${type} as telling ${sequence}`],
      );
      const end = statusAfter[chain.at(-1)?.type ?? ''];
      return end === status ? broken : [...broken, `told to be ${end}, kept as ${status}`];
    }),
  ];
}
