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

/** Appends to an order's log, in the transaction of what it tells of. */
export async function appendLog(tx: Transaction, entry: LogEntry): Promise<void> {
  await tx.query(sql.prepared('append-log', z.object({}))`
    insert into log_entry (store_id, order_id, at, kind, title, detail, actor, amount_pence)
    values (${entry.storeId}, ${entry.orderId}, ${entry.at.toISOString()}, ${entry.kind}, ${entry.title}, ${entry.detail ?? null}, ${entry.actor ?? null},
      ${entry.amountPence ?? null})`);
}
