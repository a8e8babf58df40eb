import type { Queries, Transaction } from '@corner/chassis';
import { ChangedBy } from '@corner/contracts';
import { type FragmentSqlToken, sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { z } from 'zod';
import { loggedSql } from './log.ts';
import { type CardKey, type CustomerAt, programmeOfSql } from './programmes.ts';

/**
 * Locks a store's quota: its programme's row, because quota and grant keys are counted across all its cards. Lock order: before any card
 * of the programme. A store without a programme has no quota.
 */
export async function lockQuota(tx: Transaction, storeId: string): Promise<void> {
  await tx.query(sql.prepared('lock-quota', z.object({ version: z.number() }))`
    select version from programme where store_id = ${programmeOfSql(sql.fragment`${storeId}::uuid`)} for update`);
}

const Usage = z.object({ day: z.number(), month: z.number() });

export interface LimitedCard extends CardKey, CustomerAt {
  readonly time_zone: string;
  readonly monthly_stamp_quota: number | null;
}

/**
 * Counts stamps toward the limits, by the store's clock. `day`: those the customer collected on the day of `collectedAt`, approved or
 * pending, without orders', visits', multi-stamp and imported ones. `month`: those approved at the store in the month of `now`, without
 * orders', visits', guests' and imported ones, which have no time of approval; 0 if the quota is unlimited. A day on which the store's
 * clock changes has 23 or 25 hours.
 */
export async function readStampUsage(
  queries: Pick<Queries, 'one'>,
  card: LimitedCard,
  { collectedAt, now }: { readonly collectedAt: Date; readonly now: Date },
): Promise<z.output<typeof Usage>> {
  return await queries.one(sql.prepared('stamp-usage', Usage)`
    with local_day as (
      select midnight at time zone ${card.time_zone} as begins, (midnight + interval '1 day') at time zone ${card.time_zone} as ends
      from (select date_trunc('day', ${collectedAt.toISOString()}::timestamptz at time zone ${card.time_zone}) as midnight) m
    ), local_month as (
      select date_trunc('month', ${now.toISOString()}::timestamptz at time zone ${card.time_zone}) at time zone ${card.time_zone} as begins
    )
    select (
        select count(*) from stamp
        where store_id = ${card.programmeId} and customer_id = ${card.customerId} and coalesce(at_store_id, store_id) = ${card.storeId}
          and status in ('approved', 'pending')
          and source not in ('order', 'multi_stamp', 'visit', 'membership', 'import')
          and created_at >= (select begins from local_day) and created_at < (select ends from local_day)
      )::int as day,
      case when ${card.monthly_stamp_quota}::int is null then 0 else (
        select count(*) from stamp
        where store_id = ${card.storeId} and at_store_id is null and ${counts} and approved_at >= (select begins from local_month)
      )::int + (
        select count(*) from stamp where at_store_id = ${card.storeId} and ${counts} and approved_at >= (select begins from local_month)
      )::int end as month`);
}

const counts = sql.fragment`status = 'approved' and source <> 'order' and source not in ('visit', 'membership') and customer_id is not null`;

export const changedBySql = sql.fragment`case when by_id is not null then jsonb_build_object('id', by_id, 'name', by_name) end`;

/**
 * A stamp to add to a card. `approved`: it counts at once; `reason` says why it counts or waits. `visitRef`: the place in the queue, the
 * booking or the membership period that earned it. `by`: the person at the store who granted or confirmed it.
 */
export interface NewStamp {
  readonly id: string;
  readonly approved: boolean;
  readonly source: string;
  readonly reason?: string;
  readonly collectedAt: Date;
  readonly grantKey?: string | null;
  readonly codeId?: string;
  readonly receiptId?: string;
  readonly requestId?: string;
  readonly visitRef?: string;
  readonly by?: ChangedBy;
}

/** The visitor of new stamps. `no one`: an import. `membership`: a paid period, without a visit. */
type Visitor = 'customer' | 'staff' | 'no one' | 'membership';

/** A receipt got its stamp at another store at the same time: a second attempt finds that stamp. */
export class ReceiptTaken extends Error {}

/**
 * Adds stamps to a locked card, with the visit at which they were collected, and returns the card's balance with those that count. A visit
 * of the customer, not one that staff record by granting a stamp, opens the customer's contact data to the store. It is never later than
 * now, since the clock of a phone may be ahead of ours. With `no one`, an import, there is neither a visit nor an approval. Throws {@link
 * ReceiptTaken}.
 */
export async function insertStamps(
  tx: Transaction,
  card: CardKey & CustomerAt,
  stamps: readonly NewStamp[],
  visitor: Visitor,
): Promise<CardBalance> {
  const now = tx.now.toISOString();
  const inserted = tx.one(sql.prepared('insert-stamps', CardBalance)`
    with added as (
      insert into stamp (id, store_id, customer_id, status, source, approval_reason, grant_key, code_id, receipt_id, request_id, ordinal,
        visit_ref, by_id, by_name, created_at, approved_at, at_store_id)
      select n.id, ${card.programmeId}, ${card.customerId}, case when n.approved then 'approved' else 'pending' end, n.source, n.approval_reason,
        n.grant_key, n.code_id, n.receipt_id, n.request_id, case when n.request_id is not null then n.place end,
        n.visit_ref, n.by_id, n.by_name, n.collected_at, case when n.approved and ${visitor} <> 'no one' then ${now}::timestamptz end,
        nullif(${card.storeId}::uuid, ${card.programmeId}::uuid)
      from rows from (jsonb_to_recordset(${sql.jsonb(stamps.map((stamp) => rowOf(card, stamp)))}) as (id uuid, approved boolean, source text, approval_reason text,
        grant_key text, code_id uuid, receipt_id text, request_id uuid, visit_ref uuid, by_id text, by_name text, collected_at timestamptz)) with ordinality
        n (id, approved, source, approval_reason, grant_key, code_id, receipt_id, request_id, visit_ref, by_id, by_name, collected_at, place)
      returning status, least(created_at, ${now}::timestamptz) as visited_at
    ), logged as (
      ${loggedSql(tx, { ...card, ...loggedAs(stamps, visitor) }, sql.fragment`(select from added limit 1) once where ${visitor} in ('staff', 'no one')`)}
    ), visit as (
      select min(visited_at) as at from added
    ), visited as (
      update card set last_visit_at = greatest(last_visit_at, visit.at),
        customer_since = case when ${visitor} = 'customer' then least(customer_since, visit.at) else customer_since end
      from visit where store_id = ${card.storeId} and customer_id = ${card.customerId} and ${visitor} in ('customer', 'staff')
    )
    ${balanceSql(card, sql.fragment`(select count(*) from added where status = 'approved')`)}`);
  return await inserted.catch((error: unknown) => {
    const taken = error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'one_stamp_for_a_receipt';
    throw taken ? new ReceiptTaken('the receipt got its stamp at another store', { cause: error }) : error;
  });
}

const loggedAs = ([first, ...more]: readonly NewStamp[], visitor: Visitor) => ({
  kind: visitor === 'no one' ? ('imported' as const) : ('granted' as const),
  by: first?.by ?? null,
  stamps: 1 + more.length,
  stampId: more.length === 0 ? first?.id : undefined,
});

/** A grant key as it is kept away from the programme's home, where another store may use the same one. */
const keyElsewhere = (storeId: string, grantKey: string): string => `${storeId}:${grantKey}`;

const rowOf = (card: CardKey & CustomerAt, stamp: NewStamp) => ({
  id: stamp.id,
  approved: stamp.approved,
  source: stamp.source,
  approval_reason: stamp.reason ?? null,
  grant_key: stamp.grantKey ? (card.storeId === card.programmeId ? stamp.grantKey : keyElsewhere(card.storeId, stamp.grantKey)) : null,
  code_id: stamp.codeId ?? null,
  receipt_id: stamp.receiptId ?? null,
  request_id: stamp.requestId ?? null,
  visit_ref: stamp.visitRef ?? null,
  by_id: stamp.by?.id ?? null,
  by_name: stamp.by?.name ?? null,
  collected_at: stamp.collectedAt.toISOString(),
});

/**
 * A card's balance. `stampCount`: approved stamps that were not used, less the debt, never below 0. `debt`: stamps to be paid back
 * before new ones count.
 */
export const CardBalance = z.object({ stampCount: z.number(), debt: z.number() });

export type CardBalance = z.output<typeof CardBalance>;

/** Selects a {@link CardBalance}. `added` counts stamps that the same statement approves or takes back, which it does not see yet. */
export const balanceSql = (
  { programmeId, customerId }: CardKey,
  added: FragmentSqlToken = sql.fragment`0`,
): FragmentSqlToken => sql.fragment`
  select greatest(0, ${added} - c.debt + (
      select count(*) from stamp s
      where s.store_id = c.store_id and s.customer_id = c.customer_id and s.status = 'approved' and s.voucher_id is null and not s.paid_debt
    ))::int as "stampCount", c.debt
  from card c where c.store_id = ${programmeId} and c.customer_id = ${customerId}`;

export const readCardBalance = async (queries: Pick<Queries, 'one'>, card: CardKey): Promise<CardBalance> =>
  await queries.one(sql.prepared('card-balance', CardBalance)`${balanceSql(card)}`);

const EarlierStamp = z.object({
  id: z.string(),
  programmeId: z.string(),
  customer_id: z.string().nullable(),
  status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']),
  source: z.string(),
  approval_reason: z.string().nullable(),
  /** Null unless this stamp completed a voucher. */
  voucher_id: z.string().nullable(),
  voucher_code: z.string().nullable(),
  goal: z.number(),
  by: ChangedBy.nullable(),
});

export type EarlierStamp = z.output<typeof EarlierStamp>;

type StampOrigin =
  | { readonly grantKey: string; readonly storeId: string }
  | { readonly codeId: string }
  | { readonly receiptId: string; readonly customerId: string };

/** Selects the stamp of a grant at a store, also when the store was in another programme then. */
const grantedSql = (storeId: string, grantKey: string) => sql.fragment`array(
  select id from stamp where store_id = ${storeId} and grant_key = ${grantKey} and at_store_id is null
  union all
  select id from stamp where grant_key = ${keyElsewhere(storeId, grantKey)} and at_store_id is not null)`;

export async function findEarlierStamp(tx: Transaction, origin: StampOrigin): Promise<EarlierStamp | null> {
  const [name, matches] =
    'grantKey' in origin
      ? ['stamp-of-grant', sql.fragment`s.id = any(${grantedSql(origin.storeId, origin.grantKey)})`]
      : 'codeId' in origin
        ? ['stamp-of-code', sql.fragment`s.code_id = ${origin.codeId}`]
        : ['stamp-of-receipt', sql.fragment`s.customer_id = ${origin.customerId} and s.receipt_id = ${origin.receiptId}`];
  return await tx.maybeOne(sql.prepared(name, EarlierStamp)`
    select s.id, s.store_id as "programmeId", s.customer_id, s.status, s.source, s.approval_reason, v.id as voucher_id, v.code as voucher_code, coalesce(p.goal, 0) as goal,
      ${changedBySql} as by
    from stamp s
    left join programme p on p.store_id = s.store_id
    left join lateral (
      select id, code from voucher where id = s.voucher_id
        and s.id = (select l.id from stamp l where l.voucher_id = s.voucher_id order by l.approved_at desc nulls last, l.id desc limit 1)
      limit 1
    ) v on true
    where ${matches}`);
}
