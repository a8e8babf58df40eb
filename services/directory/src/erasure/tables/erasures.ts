import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { ErasureCertificate } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

const Report = ErasureCertificate.shape.services.element;
export type Report = z.output<typeof Report>;

const ErasureRow = ErasureCertificate.pick({ requested_at: true, requested_by: true, begun_at: true, finished_at: true }).extend({
  customer_id: z.string(),
  receipt: z.string(),
  sequence: z.number(),
  reports: z.record(z.string(), Report),
});
export type ErasureRow = z.output<typeof ErasureRow>;

const columns = sql.fragment`
  customer_id, receipt, requested_by, sequence, reports, ${instantOf(sql.fragment`requested_at`)} as requested_at,
  ${instantOf(sql.fragment`begun_at`)} as begun_at, ${instantOf(sql.fragment`finished_at`)} as finished_at`;

export const findErasure = (queries: Queries, customerId: string): Promise<ErasureRow | null> =>
  queries.maybeOne(sql.prepared('find-erasure-of-customer', ErasureRow)`select ${columns} from erasure where customer_id = ${customerId}`);

export const findErasureByReceipt = (queries: Queries, receipt: string): Promise<ErasureRow | null> =>
  queries.maybeOne(sql.prepared('find-erasure-by-receipt', ErasureRow)`select ${columns} from erasure where receipt = ${receipt}`);

/** `byId`: the operator, or the merchant; null for the customer. `storeId`: the store that asks; null without one. */
export interface NewErasure {
  readonly customerId: string;
  readonly receipt: string;
  readonly requestedBy: ErasureRow['requested_by'];
  readonly byId: string | null;
  readonly storeId: string | null;
}

/** Writes the request for an erasure unless there is one. Returns the erasure, locked. */
export const saveErasure = (tx: Transaction, { customerId, receipt, requestedBy, byId, storeId }: NewErasure): Promise<ErasureRow> =>
  tx.one(sql.prepared('save-erasure', ErasureRow)`
    insert into erasure (customer_id, receipt, requested_at, requested_by, by_id, store_id)
    values (${customerId}, ${receipt}, ${tx.now.toISOString()}, ${requestedBy}, ${byId}, ${storeId}::uuid)
    on conflict (customer_id) do update set receipt = erasure.receipt
    returning ${columns}`);

/** Records that an erasure was begun, or begun again, with the event of a sequence. Earlier reports of services become void. */
export const beginErasure = (
  tx: Transaction,
  { customerId, sequence, report }: { readonly customerId: string; readonly sequence: number; readonly report: Report },
): Promise<ErasureRow> =>
  tx.one(sql.prepared('begin-erasure', ErasureRow)`
    update erasure
    set begun_at = coalesce(begun_at, ${tx.now.toISOString()}), sequence = ${sequence}, finished_at = null,
      reports = ${sql.jsonb({ directory: report })}
    where customer_id = ${customerId}
    returning ${columns}`);

export async function saveReports(
  queries: Queries,
  { customer_id, sequence, reports }: Pick<ErasureRow, 'customer_id' | 'sequence' | 'reports'>,
  finishedAt: Date | null,
): Promise<void> {
  await queries.query(sql.prepared('save-erasure-reports', NoColumns)`
    update erasure set reports = ${sql.jsonb(reports)}, finished_at = ${finishedAt?.toISOString() ?? null}
    where customer_id = ${customer_id} and sequence = ${sequence} and finished_at is null`);
}

export const erasuresPage = 100;

export const listErasures = (
  queries: Queries,
  { after, all, since }: { readonly after: string | null; readonly all: boolean; readonly since: string | null },
): Promise<readonly ErasureRow[]> =>
  queries.any(sql.prepared('list-erasures', ErasureRow)`
    select ${columns} from erasure
    where customer_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') and (${all}::boolean or finished_at is null)
      and (${since}::timestamptz is null or begun_at >= ${since}::timestamptz)
    order by customer_id limit ${erasuresPage}`);

export const openErasures = (queries: Queries): Promise<readonly ErasureRow[]> =>
  queries.any(sql.prepared('open-erasures', ErasureRow)`
    select ${columns} from erasure where finished_at is null and sequence > 0 order by erasure.requested_at limit 100`);

/** Returns those of the events of erasures in the stream that this database does not know: it was restored to an earlier moment. */
export const unknownErasures = (
  queries: Queries,
  events: readonly { readonly customerId: string; readonly sequence: number }[],
): Promise<readonly z.output<typeof Unknown>[]> =>
  queries.any(sql.prepared('unknown-erasures', Unknown)`
    select s.id as customer_id, s.sequence
    from jsonb_to_recordset(${sql.jsonb(events.map(({ customerId: id, sequence }) => ({ id, sequence })))}) as s (id uuid, sequence bigint)
    left join lateral (select sequence from erasure where customer_id = s.id limit 1) e on true
    where e.sequence is null or e.sequence < s.sequence`);
const Unknown = z.object({ customer_id: z.string(), sequence: z.number() });

const Dropped = z.object({ accounts: z.number(), sessions: z.number() });

export const dropPerson = (tx: Transaction, customerId: string): Promise<z.output<typeof Dropped>> =>
  tx.one(sql.prepared('drop-person', Dropped)`
    with accounts as (delete from account where person_id = ${customerId} and kind = 'customer' returning 1),
    sessions as (delete from session where person_id = ${customerId} and kind = 'customer' returning 1),
    logged as (update change set fields = '[]' where kind = 'customer' and object_id = ${customerId} and fields <> '[]'),
    finished as (update erased_customer set finished_at = ${tx.now.toISOString()} where customer_id = ${customerId}),
    published as (select scrub_outbox(${customerId}::text, 'customer', ${sql.jsonb(nothing)}) as scrubbed)
    select (select count(*) from accounts) + 0 * (select scrubbed from published) as accounts, (select count(*) from sessions) as sessions`);

const nothing = { name: null, email: null, phone: null, identity_user_id: null, push_devices: [], language: null, memberships: [] };

const Row = z.object({ row: z.record(z.string(), z.unknown()) });
const rowsOf = async (queries: Queries, name: string, rows: FragmentSqlToken) =>
  (await queries.any(sql.prepared(`export-${name}`, Row)`${rows}`)).map(({ row }) => row);

export async function exportedSections(queries: Queries, id: string) {
  return [
    {
      of: 'profile',
      rows: await rowsOf(
        queries,
        'profile',
        sql.fragment`select data as row from object where kind = 'customer' and id = ${id} and store_id is null`,
      ),
    },
    {
      of: 'changes of the profile',
      rows: await rowsOf(
        queries,
        'changes',
        sql.fragment`select jsonb_build_object('at', at, 'fields', fields) as row from change where kind = 'customer' and object_id = ${id} order by version`,
      ),
    },
    {
      of: 'accounts',
      rows: await rowsOf(
        queries,
        'accounts',
        sql.fragment`select to_jsonb(account) - 'person_id' as row from account where person_id = ${id} and kind = 'customer'`,
      ),
    },
    {
      of: 'sessions',
      rows: await rowsOf(
        queries,
        'sessions',
        sql.fragment`
          select jsonb_build_object('started_at', started_at, 'refreshed_at', refreshed_at, 'expires_at', expires_at) as row
          from session where person_id = ${id} and kind = 'customer' order by started_at`,
      ),
    },
    {
      of: 'who read your data',
      rows: await rowsOf(
        queries,
        'data-access',
        sql.fragment`
          select jsonb_build_object('at', at, 'by', by_kind, 'store_id', nullif(chain, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), 'what', what) as row
          from data_access where customer_id = ${id} order by at, number`,
      ),
    },
  ];
}
