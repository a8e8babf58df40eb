import { cursorKnownSql, instantOf, type LogQuery, logPageSql, NoColumns, type Queries } from '@corner/chassis';
import { type ChangedBy, QueueChainRow, queueStatuses } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { LogKind } from '../rules/log.ts';

export interface NewLogEntry {
  readonly storeId: string;
  /** The id of the entry that events carry; null for a switch of walk-ins, and for a booking. */
  readonly entryRef: string | null;
  readonly bookingRef?: string;
  readonly at: Date;
  readonly kind: LogKind;
  /** Null for what the owner of the place or the time did. */
  readonly by: ChangedBy | null;
  readonly detail?: string | null;
  readonly until?: Date | null;
}

const madeBySql = (by: ChangedBy | null): FragmentSqlToken => sql.fragment`${by?.id ?? null}, ${by?.name ?? null}`;

/** The end of the chain of a store's changes: number 0 and zeros before the first one. */
const chainEndSql = (storeId: string): FragmentSqlToken => sql.fragment`(
  select number, hash from (
    (select l.number, l.hash from log_entry l where l.store_id = ${storeId} and l.number is not null order by l.number desc limit 1)
    union all select 0, decode(repeat('00', 32), 'hex')
  ) link order by number desc limit 1
)`;

/**
 * Appends a row as the next link of its store's chain, in the statement of the change that it describes; `changed` is the entry after it.
 * The queue is locked, so no other change comes between. QueueChainRow of the contracts defines the hash.
 */
export const chainedSql = ({ storeId, entryRef, at, kind, by, detail }: NewLogEntry): FragmentSqlToken => sql.fragment`
  insert into log_entry (store_id, entry_ref, at, kind, by_id, by_name, detail, number, status, place, hash)
  select ${storeId}, ${entryRef}::uuid, ${at.toISOString()}, ${kind}, ${madeBySql(by)}, ${detail ?? null},
    last.number + 1, c.status, c.joined_at, sha256(last.hash || convert_to(concat_ws(' ', last.number + 1, ${entryRef}::text, ${kind}::text, c.status,
      ${instantOf(sql.fragment`${at.toISOString()}::timestamptz`)}, ${instantOf(sql.fragment`c.joined_at`)}), 'utf8'))
  from changed c cross join ${chainEndSql(storeId)} last`;

/** Appends a row to the log outside the chain, in the statement of the change that it describes. */
export const loggedSql = ({ storeId, entryRef, bookingRef, at, kind, by, detail, until }: NewLogEntry): FragmentSqlToken => sql.fragment`
  insert into log_entry (store_id, entry_ref, booking_ref, at, kind, by_id, by_name, detail, until)
  values (
    ${storeId}, ${entryRef}::uuid, ${bookingRef ?? null}::uuid, ${at.toISOString()}, ${kind}, ${madeBySql(by)}, ${detail ?? null},
    ${until?.toISOString() ?? null}::timestamptz
  )`;

export const readChain = (queries: Queries, { storeId, after, upTo, since, limit }: ChainRange): Promise<readonly QueueChainRow[]> =>
  queries.any(sql.prepared('read-queue-chain', QueueChainRow)`
    select l.number, l.entry_ref, l.kind, l.status, ${instantOf(sql.fragment`l.at`)} as at, ${instantOf(sql.fragment`l.place`)} as place,
      encode(l.hash, 'hex') as hash
    from log_entry l
    where l.store_id = ${storeId} and l.number > greatest(${after}::bigint, coalesce((
      select r.number - 1 from log_entry r where r.store_id = ${storeId} and r.at < ${since.toISOString()}::timestamptz and r.number is not null
      order by r.at desc, r.id desc limit 1), 0))
      and l.number <= ${upTo}::bigint
    order by l.number limit ${limit}`);

interface ChainRange {
  readonly storeId: string;
  readonly after: number;
  readonly upTo: number;
  readonly since: Date;
  readonly limit: number;
}

/** Returns the entries that joined after `since` and before the chain began: the row of their joining has no number. */
export const findJoinedBeforeChain = (
  queries: Queries,
  { storeId, since, ids }: { readonly storeId: string; readonly since: Date; readonly ids: readonly string[] },
): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('joined-before-chain', z.object({ entry_ref: z.string() }))`
    select l.entry_ref from log_entry l
    where l.store_id = ${storeId} and l.at >= ${since.toISOString()}::timestamptz and l.kind = 'joined' and l.number is null
      and l.entry_ref = any(${sql.array([...ids], 'uuid')})`);

const LogRow = z.object({
  id: z.number(),
  at: z.string(),
  kind: z.custom<LogKind>((kind) => typeof kind === 'string'),
  by_id: z.string().nullable(),
  by_name: z.string().nullable(),
  detail: z.string().nullable(),
  until: z.string().nullable(),
  entry_id: z.string().nullable(),
  appointment_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  customer_name: z.string().nullable(),
  guest_name: z.string().nullable(),
  /** Null for a row that is about no entry. */
  status: z.enum(queueStatuses).nullable(),
  ended_at: z.string().nullable(),
  ended_from: z.enum(queueStatuses).nullable(),
  reopened_at: z.string().nullable(),
});

const LogPage = z.object({ time_zone: z.string(), cursor_known: z.boolean(), rows: z.array(LogRow) });

/** Newest first; null for an unknown store. `cursor_known` is false when the store has no row `before`. */
export const readLog = async (queries: Queries, query: LogQuery): Promise<z.output<typeof LogPage> | null> =>
  await queries.maybeOne(sql.prepared('read-queue-log', LogPage)`
    select s.time_zone,
      ${cursorKnownSql('log_entry', query)} as cursor_known,
      coalesce((select jsonb_agg(to_jsonb(page) order by page.at desc, page.id desc) from (
        select l.id, ${instantOf(sql.fragment`l.at`)} as at, l.kind, l.by_id, l.by_name, l.detail, ${instantOf(sql.fragment`l.until`)} as until,
          e.entry_id, b.appointment_id, coalesce(e.customer_id, b.customer_id) as customer_id, c.name as customer_name,
          coalesce(e.guest_name, b.guest_name) as guest_name,
          e.status, ${instantOf(sql.fragment`e.ended_at`)} as ended_at, e.ended_from, ${instantOf(sql.fragment`e.reopened_at`)} as reopened_at
        from log_entry l left join entry e on e.id = l.entry_ref left join session_booking b on b.id = l.booking_ref
        left join customer c on c.id = coalesce(e.customer_id, b.customer_id)
        ${logPageSql('log_entry', query)}
      ) page), '[]') as rows
    from store s where s.id = ${query.storeId}`);

export async function saveWalkInSwitch(queries: Queries, storeId: string, { open, until, by, at }: WalkInSwitchChange): Promise<void> {
  const kind = open ? ('walk_ins_on' as const) : ('walk_ins_off' as const);
  await queries.query(sql.prepared('save-walk-in-switch', NoColumns)`
    with logged as (${loggedSql({ storeId, entryRef: null, at, kind, by, until })})
    insert into walk_ins (store_id, open, until, by_id, by_name, changed_at)
    values (${storeId}, ${open}, ${until?.toISOString() ?? null}::timestamptz, ${by.id}, ${by.name}, ${at.toISOString()})
    on conflict (store_id) do update
    set open = excluded.open,
        until = excluded.until,
        by_id = excluded.by_id,
        by_name = excluded.by_name,
        changed_at = excluded.changed_at`);
}

export interface WalkInSwitchChange {
  readonly open: boolean;
  /** Null for a switch that lasts until the next one. */
  readonly until: Date | null;
  readonly by: ChangedBy;
  readonly at: Date;
}
