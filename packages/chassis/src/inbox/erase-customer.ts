import {
  customerErased,
  ErasureStep,
  exportCustomerOf,
  exportedRows,
  type KeptData,
  keptForAWhile,
  type RequiredService,
  readErasureAt,
} from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { instantOf, NoColumns } from '../database/columns.ts';
import type { Database, Queries, Transaction } from '../database/database.ts';
import { type Job, job } from '../jobs/jobs.ts';
import { handleRpc, type RpcHandler } from '../rpc/handle-rpc.ts';
import type { Log } from '../telemetry/log.ts';
import { type EventHandler, on } from './event-handler.ts';

export interface CustomerData<Context> {
  /**
   * Drops the data that identifies the customer, as much as is possible now, in the event's transaction, and again while `isLeft`. Returns
   * sentences without names that say what it did: none when there was nothing to do.
   */
  readonly erase: (tx: Transaction, customerId: string, context: Context) => Promise<readonly string[]>;
  readonly isLeft?: (tx: Transaction, customerId: string) => Promise<boolean>;
  /**
   * Does the part of an outside party, outside of transactions. It must be safe to repeat, and throws to be called again later. The
   * function it returns records that it was done, and returns sentences as {@link erase} does.
   */
  readonly askOutside?: (customerId: string, context: Context) => Promise<(tx: Transaction) => Promise<readonly string[]>>;
  /** Without the data that every service keeps for a while, which is added. */
  readonly kept: readonly KeptData[];
  /** A query for each section of the customer's data: `key` is a text that orders the rows, `row` a JSON object. */
  readonly sections: readonly { readonly name: string; readonly rows: (customerId: string) => FragmentSqlToken }[];
}

interface Erasing<Context> {
  readonly eventHandler: EventHandler<Context>;
  readonly rpcHandlers: { readonly handleReadErasure: RpcHandler<Context>; readonly handleExportCustomer: RpcHandler<Context> };
  readonly job: Job<Context>;
}

interface Erasable {
  readonly database: Database;
  readonly log: Log;
}

export const erasingOf = <Context extends Erasable>(service: RequiredService, data: CustomerData<Context>): Erasing<Context> => ({
  eventHandler: on(customerErased, async ({ data: { customer_id: id }, sequence }, tx, context: Context) => {
    await markErased(tx, id, sequence);
    await eraseNow(tx, id, data, context);
  }),
  rpcHandlers: {
    handleReadErasure: handleRpc(readErasureAt(service), async ({ customer_id }, { database }: Context) => {
      const erasure = await findErasure(database, customer_id);
      return { erasure: erasure && { ...erasure, kept: [...data.kept, ...keptForAWhile] } };
    }),
    handleExportCustomer: handleRpc(exportCustomerOf(service), async ({ customer_id, from }, { database }: Context) => {
      const section = data.sections[from.section];
      if (!section) throw new RangeError(`an export has no section ${from.section}`);
      const rows = await readSection(database, section.name, section.rows(customer_id), from.after);
      const last = rows.length === exportedRows ? rows.at(-1) : undefined;
      const following = from.section + 1 < data.sections.length ? { section: from.section + 1, after: '' } : null;
      return { section: section.name, rows: rows.map(({ row }) => row), next: last ? { ...from, after: last.key } : following };
    }),
  },
  job: job(15, async (context: Context) => {
    for (const id of await findUnfinished(context.database)) {
      try {
        const record = await data.askOutside?.(id, context);
        await context.database.transaction(async (tx) => {
          const steps = await record?.(tx);
          await eraseNow(tx, id, data, context, steps);
        });
      } catch (error) {
        context.log.warn({ err: error, customer_id: id }, 'a customer could not be erased completely yet');
      }
    }
  }),
});

async function eraseNow<Context>(
  tx: Transaction,
  id: string,
  data: CustomerData<Context>,
  context: Context,
  outside: readonly string[] = [],
): Promise<void> {
  const steps = [...outside, ...(await data.erase(tx, id, context))];
  const isLeft = (await data.isLeft?.(tx, id)) ?? false;
  await recordSteps(tx, id, steps, isLeft);
}

/**
 * Marks a customer as erased, and drops the customer's data from dead letters: after this transaction no row about the customer can be
 * written that {@link CustomerData.erase} has not seen.
 */
export async function markErased(tx: Transaction, id: string, sequence: number): Promise<void> {
  // A separate statement: the next one sees the rows committed while this one waited.
  await tx.query(sql.prepared('lock-customer', NoColumns)`select pg_advisory_xact_lock(lock_schema(), lock_of_customer(${id}))`);
  await tx.query(sql.prepared('mark-erased', NoColumns)`
    with discarded as (
      update dead_letter
      set payload = '{}', settled_at = coalesce(settled_at, ${tx.now.toISOString()}), settled_as = coalesce(settled_as, 'discarded'),
        settled_by = coalesce(settled_by, 'directory'), settled_reason = coalesce(settled_reason, 'the customer was erased')
      where type = 'customer' and right(subject, 36) = ${id}
    )
    insert into erased_customer as e (customer_id, sequence, erased_at) values (${id}, ${sequence}, ${tx.now.toISOString()})
    on conflict (customer_id) do update set sequence = greatest(e.sequence, excluded.sequence), finished_at = null`);
}

async function recordSteps(tx: Transaction, id: string, steps: readonly string[], isLeft: boolean): Promise<void> {
  const at = tx.now.toISOString();
  await tx.query(sql.prepared('record-erasure-steps', NoColumns)`
    update erased_customer
    set steps = steps || ${sql.jsonb(steps.map((what) => ({ at, what })))}, finished_at = case when not ${isLeft}::boolean then ${at}::timestamptz end
    where customer_id = ${id}`);
}

const Found = z.object({ sequence: z.number(), finished_at: z.string().nullable(), steps: z.array(ErasureStep) });

const findErasure = (queries: Queries, id: string): Promise<z.output<typeof Found> | null> =>
  queries.maybeOne(sql.prepared('find-erasure', Found)`
    select sequence, ${instantOf(sql.fragment`finished_at`)} as finished_at, steps from erased_customer where customer_id = ${id}`);

const findUnfinished = (queries: Queries): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('find-unfinished-erasures', z.object({ customer_id: z.string() }))`
    select customer_id from erased_customer where finished_at is null order by erased_at limit 100`);

const ExportedRow = z.object({ key: z.string(), row: z.record(z.string(), z.unknown()) });

const readSection = (
  queries: Queries,
  name: string,
  rows: FragmentSqlToken,
  after: string,
): Promise<readonly z.output<typeof ExportedRow>[]> =>
  queries.any(sql.prepared(`export-${name.replaceAll(/[^a-z]+/g, '-')}`, ExportedRow)`
    select key, row from (${rows}) held where key > ${after} order by key limit ${exportedRows}`);
