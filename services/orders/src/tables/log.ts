import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

export interface LogEntry {
  readonly storeId: string;
  readonly orderId: string;
  readonly at: Date;
  readonly kind: string;
  /** A sentence a merchant reads. */
  readonly title: string;
  readonly detail?: string | null;
  readonly actor?: string | null;
  readonly amountPence?: number | null;
}

/** Appends to orders' logs, in the transaction of what they tell of. */
export async function appendLog(tx: Transaction, ...entries: readonly LogEntry[]): Promise<void> {
  const rows = entries.map(({ storeId, orderId, at, kind, title, detail, actor, amountPence }) => ({
    store_id: storeId,
    order_id: orderId,
    at: at.toISOString(),
    kind,
    title,
    detail: detail ?? null,
    actor: actor ?? null,
    amount_pence: amountPence ?? null,
  }));
  await tx.query(sql.prepared('append-log', z.object({}))`
    insert into log_entry (store_id, order_id, at, kind, title, detail, actor, amount_pence)
    select store_id, order_id, at, kind, title, detail, actor, amount_pence
    from rows from (jsonb_to_recordset(${sql.jsonb(rows)}) as (store_id uuid, order_id uuid, at timestamptz, kind text, title text, detail text, actor text,
      amount_pence integer)) with ordinality as e(store_id, order_id, at, kind, title, detail, actor, amount_pence, n)
    order by n`);
}
