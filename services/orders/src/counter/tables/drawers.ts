import { columns, instantOf, type Queries, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { z } from 'zod';

const DrawerRow = z.object({
  id: z.string(),
  float_pence: z.number(),
  opened_at: z.string(),
  opened_by_id: z.string(),
  opened_by_name: z.string().nullable(),
  closed_at: z.string().nullable(),
  closed_by_id: z.string().nullable(),
  closed_by_name: z.string().nullable(),
  close_key: z.string().nullable(),
  counted_pence: z.number().nullable(),
  difference_pence: z.number().nullable(),
  note: z.string().nullable(),
  cash_taken_pence: z.number(),
  cash_refunded_pence: z.number(),
  paid_out_pence: z.number(),
  pay_outs: z.array(z.object({ at: z.string(), amount_pence: z.number(), reason: z.string(), by_name: z.string().nullable() })),
});
export type DrawerRow = z.output<typeof DrawerRow>;

const cashOf = (kind: 'charge' | 'refund', partsOfDrawer: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  (select coalesce(abs(sum(l.amount_pence)), 0) from ledger l where l.drawer_id = d.id and l.kind = ${kind})
  + (select coalesce(sum(p.amount_pence), 0) from part_payment p where ${partsOfDrawer} = d.id))::bigint`;

const drawerColumns: FragmentSqlToken = columns(DrawerRow, {
  alias: 'd',
  overrides: {
    opened_at: instantOf,
    closed_at: instantOf,
    cash_taken_pence: cashOf('charge', sql.fragment`p.drawer_id`),
    cash_refunded_pence: cashOf('refund', sql.fragment`p.returned_drawer_id`),
    paid_out_pence: sql.fragment`(select coalesce(sum(p.amount_pence), 0)::bigint from drawer_pay_out p where p.drawer_id = d.id)`,
    pay_outs: sql.fragment`coalesce((
      select jsonb_agg(jsonb_build_object('at', ${instantOf(sql.fragment`p.at`)}, 'amount_pence', p.amount_pence, 'reason', p.reason,
        'by_name', p.by_name) order by p.at, p.id)
      from drawer_pay_out p where p.drawer_id = d.id), '[]')`,
  },
});

export class DrawerIsOpen extends Error {}

interface Person {
  readonly id: string;
  readonly name: string | null;
}

export async function insertDrawer(
  tx: Transaction,
  { id, storeId, floatPence, by }: { readonly id: string; readonly storeId: string; readonly floatPence: number; readonly by: Person },
): Promise<void> {
  try {
    await tx.query(sql.prepared('open-drawer', z.object({}))`
      with opened as (
        insert into drawer (id, store_id, float_pence, opened_at, opened_by_id, opened_by_name)
        values (${id}, ${storeId}, ${floatPence}, ${tx.now.toISOString()}, ${by.id}, ${by.name}) on conflict (id) do nothing
        returning store_id, opened_at, opened_by_id, opened_by_name, float_pence
      )
      insert into store_log_entry (store_id, at, kind, by_id, by_name, amount_pence)
      select store_id, opened_at, 'drawer_opened', opened_by_id, opened_by_name, float_pence from opened`);
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'one_open_drawer_of_a_store')
      throw new DrawerIsOpen('a drawer of the store is open', { cause: error });
    throw error;
  }
}

export const readDrawer = (queries: Pick<Queries, 'maybeOne'>, storeId: string, id: string): Promise<DrawerRow | null> =>
  queries.maybeOne(sql.prepared('read-drawer', DrawerRow)`
    select ${drawerColumns} from drawer d where d.id = ${id} and d.store_id = ${storeId}`);

/** Locks the open drawer of a store, after concurrent sales and refunds that hold it, and returns its id. Null when none is open. */
export const lockDrawer = (tx: Transaction, storeId: string): Promise<string | null> =>
  tx.maybeOneFirst(sql.prepared('lock-drawer', z.object({ id: z.string() }))`
    select id from drawer where store_id = ${storeId} and closed_at is null for update`);

export const findClosedBy = (tx: Transaction, storeId: string, key: string): Promise<string | null> =>
  tx.maybeOneFirst(sql.prepared('find-drawer-closed-by', z.object({ id: z.string() }))`
    select id from (select id, close_key from drawer where store_id = ${storeId} order by opened_at desc, id desc limit 10) latest
    where close_key = ${key}`);

export interface Count {
  readonly id: string;
  readonly countedPence: number;
  readonly expectedPence: number;
  readonly note: string | null;
  readonly key: string;
  readonly by: Person;
}

export async function closeDrawer(tx: Transaction, { id, countedPence, expectedPence, note, key, by }: Count): Promise<void> {
  await tx.query(sql.prepared('close-drawer', z.object({}))`
    with closed as (
      update drawer set closed_at = ${tx.now.toISOString()}, closed_by_id = ${by.id}, closed_by_name = ${by.name}, close_key = ${key},
        counted_pence = ${countedPence}, expected_pence = ${expectedPence}, note = ${note}
      where id = ${id} returning store_id, closed_at, closed_by_id, closed_by_name, counted_pence, difference_pence
    )
    insert into store_log_entry (store_id, at, kind, by_id, by_name, amount_pence, difference_pence)
    select store_id, closed_at, 'drawer_closed', closed_by_id, closed_by_name, counted_pence, difference_pence from closed`);
}

export interface PayOut {
  readonly id: string;
  readonly drawerId: string;
  readonly storeId: string;
  readonly amountPence: number;
  readonly reason: string;
  readonly by: Person;
}

export async function insertPayOut(tx: Transaction, { id, drawerId, storeId, amountPence, reason, by }: PayOut): Promise<void> {
  await tx.query(sql.prepared('insert-pay-out', z.object({}))`
    with paid as (
      insert into drawer_pay_out (id, drawer_id, store_id, amount_pence, reason, at, by_id, by_name)
      values (${id}, ${drawerId}, ${storeId}, ${amountPence}, ${reason}, ${tx.now.toISOString()}, ${by.id}, ${by.name})
      on conflict (id) do nothing returning store_id, at, by_id, by_name, amount_pence
    )
    insert into store_log_entry (store_id, at, kind, by_id, by_name, amount_pence)
    select store_id, at, 'cash_paid_out', by_id, by_name, amount_pence from paid`);
}

export const listDrawersOf = (
  queries: Queries,
  { storeId, limit, before }: { readonly storeId: string; readonly limit: number; readonly before: string | null },
): Promise<readonly DrawerRow[]> =>
  queries.any(sql.prepared('list-drawers', DrawerRow)`
    select ${drawerColumns} from (
      select * from drawer where store_id = ${storeId}
        and (${before}::uuid is null or (opened_at, id) < (select b.opened_at, b.id from drawer b where b.id = ${before} and b.store_id = ${storeId}))
      order by opened_at desc, id desc limit ${limit}
    ) d order by d.opened_at desc, d.id desc`);
