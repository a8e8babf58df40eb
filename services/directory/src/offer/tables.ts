import type { Queries, Transaction } from '@corner/chassis';
import type { DirectoryObject } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const RenewableRow = z.object({
  store_id: z.string(),
  kind: z.enum(['slots', 'floor']),
  published_until: z.string(),
  time_zone: z.string(),
});
export type Renewable = z.output<typeof RenewableRow>;

/** A parameter of statements: if they named the kind, the planner could also use the index of the codes of all stores. */
const store = 'store';

export const batchSize = 500;

export const findPublishedBefore = (queries: Queries, day: string, after: Renewable | undefined): Promise<readonly Renewable[]> =>
  queries.any(sql.prepared('find-published-before', RenewableRow)`
    select o.store_id, o.kind, o.published_until::text,
      (select s.data ->> 'time_zone' from object s where s.kind = ${store} and s.id = o.store_id) as time_zone
    from object o
    where o.published_until < ${day}::date
      and (o.published_until, o.store_id, o.kind) > (${after?.published_until ?? '-infinity'}::date, ${after?.store_id ?? null}::uuid, ${after?.kind ?? ''})
    order by o.published_until, o.store_id, o.kind
    limit ${batchSize}`);

const StoreRow = z.object({ data: z.custom<DirectoryObject<'store'>>((data) => typeof data === 'object' && data !== null) });

/** Locks a store and returns it; null when another transaction holds its lock, and for an unknown store. */
export const lockFreeStore = async (tx: Transaction, storeId: string): Promise<DirectoryObject<'store'> | null> =>
  (
    await tx.maybeOne(sql.prepared('lock-free-store', StoreRow)`
      select data from object where kind = ${store} and id = ${storeId} for update skip locked`)
  )?.data ?? null;

export const findKindsPublishedBefore = async (tx: Transaction, storeId: string, day: string): Promise<readonly Renewable['kind'][]> =>
  (
    await tx.any(sql.prepared('find-kinds-published-before', RenewableRow.pick({ kind: true }))`
      select kind from object
      where kind in ('slots', 'floor') and id = ${storeId} and published_until < ${day}::date
      order by kind desc`)
  ).map(({ kind }) => kind);
