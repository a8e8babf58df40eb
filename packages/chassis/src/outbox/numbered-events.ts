import { type Digest, type EventsRead, eventsOfOneRange, eventsOfOneRead, Incarnation, type ServiceName } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { envelopeOf, type OutboxRow } from './envelope.ts';

/** Characters of events in one reply at most: well below the megabyte that a message of NATS may have. */
const charactersOfOneRead = 400_000;

/** Returns the events from `from` to `to` (null: the last) that fit one reply. `to` below `from` reads the state alone. */
export async function readEvents(
  database: Database,
  service: ServiceName,
  { from, to }: { readonly from: number; readonly to: number | null },
): Promise<EventsRead> {
  const { last, void_below, incarnations } = await database.one(readState);
  const end = Math.min(to ?? last, last, from + eventsOfOneRead - 1);
  const rows = end < from ? [] : await database.any(readPage(from, end));
  const events: EventsRead['events'] = [];
  let characters = 0;
  for (const { number, ...row } of rows) {
    const { envelope } = envelopeOf(service, rowOf(row));
    characters += JSON.stringify(envelope).length;
    if (events.length > 0 && characters > charactersOfOneRead) break;
    events.push({ number, envelope });
  }
  const covered = await coveredBy(database, { from, end, rows: rows.length, events });
  return { incarnations, last, void_below, events, covered_to: covered };
}

interface Read extends Pick<EventsRead, 'events'> {
  readonly from: number;
  readonly end: number;
  readonly rows: number;
}

async function coveredBy(database: Database, { from, end, rows, events }: Read): Promise<number> {
  if (end < from) return from - 1;
  if (events.length < rows) return events.at(-1)?.number ?? end;
  if (rows > 0) return end;
  const kept = await database.maybeOneFirst(firstKept);
  return kept === null ? end : Math.max(end, kept - 1);
}

const State = z.object({ last: z.number(), void_below: z.number(), incarnations: z.array(Incarnation) });

const readState = sql.prepared('read-numbering', State)`
  select s.last_number as last, s.void_below, (
    select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'begins', i.begins) order by i.epoch), '[]') from relay_incarnation i
  ) as incarnations
  from relay_state s`;

const Row = z.object({
  number: z.number(),
  event_id: z.string(),
  type: z.string(),
  version: z.number(),
  aggregate_id: z.string(),
  aggregate_sequence: z.number(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  data: z.unknown(),
  correlation_id: z.string().nullable(),
  causation_id: z.string().nullable(),
  traceparent: z.string().nullable(),
  time: z.string(),
});

const rowOf = (row: Omit<z.output<typeof Row>, 'number'>): OutboxRow => ({
  ...row,
  id: '',
  aggregate_sequence: String(row.aggregate_sequence),
});

const readPage = (from: number, to: number) => sql.prepared('read-events', Row)`
  ${numberedSql(from, to)}
  select n.number, o.event_id, o.type, o.version, o.aggregate_id, o.aggregate_sequence, o.store_id, o.customer_id, o.data,
    o.correlation_id, o.causation_id, o.traceparent, to_char(o.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time
  from numbered n join outbox o using (transaction_id, id)
  where n.number between ${from} and ${to}
  order by n.number`;

/** A batch that lost rows by age has no numbers, since they count its rows. */
const numberedSql = (from: number, to: number): FragmentSqlToken => sql.fragment`
  with batches as materialized (
    select first_number, size, snapshot_before, snapshot_after from relay_batch
    where first_number >= coalesce((select max(first_number) from relay_batch where first_number <= ${from}), ${from}) and first_number <= ${to}
  ), numbered as (
    select b.first_number + r.place - 1 as number, r.transaction_id, r.id
    from batches b cross join lateral (
      select o.transaction_id, o.id, row_number() over (order by o.id) as place, count(*) over () as found from outbox o
      where o.transaction_id >= pg_snapshot_xmin(b.snapshot_before) and o.transaction_id < pg_snapshot_xmax(b.snapshot_after)
        and pg_visible_in_snapshot(o.transaction_id, b.snapshot_after) and not pg_visible_in_snapshot(o.transaction_id, b.snapshot_before)
    ) r
    where r.found = b.size
  )`;

const rangesOfOneReply = 100;

const RangeRow = z.object({ from: z.number(), to: z.number(), count: z.number(), hash: z.string() });

/** Returns count and hash of each range of the kept events, from `from` on, and where the next ranges begin; null at the end. */
export async function digestEvents(
  database: Database,
  from: number,
): Promise<{ readonly last: number; readonly ranges: Digest[]; readonly next: number | null }> {
  const { last } = await database.one(readState);
  const kept = await database.maybeOneFirst(firstKept);
  if (kept === null) return { last, ranges: [], next: null };
  const begin = Math.max(from, kept);
  const ranges: Digest[] = [];
  let at = begin;
  for (; at <= last && ranges.length < rangesOfOneReply; at += eventsOfOneRange - ((at - 1) % eventsOfOneRange)) {
    const to = Math.min(at + eventsOfOneRange - 1 - ((at - 1) % eventsOfOneRange), last);
    ranges.push(await database.one(digestRange(at, to)));
  }
  return { last, ranges, next: at <= last ? at : null };
}

const firstKept = sql.prepared('first-kept-number', z.object({ first_number: z.number() }))`
  select b.first_number from relay_batch b
  where b.size = (
    select count(*) from outbox o
    where o.transaction_id >= pg_snapshot_xmin(b.snapshot_before) and o.transaction_id < pg_snapshot_xmax(b.snapshot_after)
      and pg_visible_in_snapshot(o.transaction_id, b.snapshot_after) and not pg_visible_in_snapshot(o.transaction_id, b.snapshot_before))
  order by b.first_number limit 1`;

const digestRange = (from: number, to: number) => sql.prepared('digest-events', RangeRow)`
  ${numberedSql(from, to)}
  select ${from}::bigint as from, ${to}::bigint as to, count(*) as count,
    coalesce(md5(string_agg(n.number || ' ' || o.event_id, ',' order by n.number)), '') as hash
  from numbered n join outbox o using (transaction_id, id)
  where n.number between ${from} and ${to}`;
