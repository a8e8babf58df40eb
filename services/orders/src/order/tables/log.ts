import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

export interface LogEntry {
  readonly storeId: string;
  readonly orderId: string;
  readonly kind: string;
  readonly title: string;
  readonly detail?: string | null;
  readonly actor?: string | null;
  readonly actorId?: string | null | undefined;
  readonly amountPence?: number | null;
}

export async function appendLog(tx: Transaction, ...entries: readonly LogEntry[]): Promise<void> {
  await tx.query(sql.prepared('append-log', NoColumns)`${appendLogSql(tx.now, entries)}`);
}

export const appendLogSql = (now: Date, entries: readonly LogEntry[]): FragmentSqlToken => sql.fragment`
  insert into log_entry (store_id, order_id, at, kind, title, detail, actor, actor_id, amount_pence)
  select store_id, order_id, ${now.toISOString()}, kind, title, detail, actor, actor_id, amount_pence
  from rows from (jsonb_to_recordset(${sql.jsonb(entries.map(rowOf))}) as (store_id uuid, order_id uuid, kind text, title text, detail text, actor text,
    actor_id text, amount_pence integer)) with ordinality as e(store_id, order_id, kind, title, detail, actor, actor_id, amount_pence, n)
  order by n`;

const rowOf = ({ storeId, orderId, kind, title, detail, actor, actorId, amountPence }: LogEntry) => ({
  store_id: storeId,
  order_id: orderId,
  kind,
  title,
  detail: detail ?? null,
  actor: actor ?? null,
  actor_id: actorId ?? null,
  amount_pence: amountPence ?? null,
});

const LogEntryRow = z.object({
  at: z.string(),
  title: z.string(),
  detail: z.string().nullable(),
  actor: z.string().nullable(),
  amount_pence: z.number().nullable(),
});

/** Reads an order's log, newest first; a leg's includes its main order's. Null when no given store has the order. */
export const findOrderLog = (
  queries: Queries,
  orderId: string,
  storeIds: readonly string[],
): Promise<readonly z.output<typeof LogEntryRow>[] | null> =>
  queries.maybeOneFirst(sql.prepared('find-order-log', z.object({ entries: z.array(LogEntryRow) }))`
    select coalesce((
      select jsonb_agg(jsonb_build_object('at', ${instantOf(sql.fragment`l.at`)}, 'title', l.title, 'detail', l.detail, 'actor', l.actor,
        'amount_pence', l.amount_pence) order by l.at desc, l.id desc)
      from log_entry l where l.order_id in (o.id, o.parent_order_id)), '[]') as entries
    from orders o where o.id = ${orderId} and o.store_id::text = any(${sql.array([...storeIds], 'text')})`);
