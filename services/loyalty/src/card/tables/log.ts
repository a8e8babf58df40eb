import type { Transaction } from '@corner/chassis';
import type { ChangedBy } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import type { LogKind } from '../rules.ts';

/**
 * A row for the log of a store's cards. `customerId` is null for a guest's stamp, `by` only where no row follows. `stamps`: one when
 * absent.
 */
interface NewLogEntry {
  readonly storeId: string;
  readonly customerId: string | null;
  readonly kind: LogKind;
  readonly by: ChangedBy | null;
  readonly stampId?: string | undefined;
  readonly voucherId?: string;
  readonly stamps?: number;
}

/** Appends a row to the log for each row of `changed`, the part of the statement that makes the change. */
export const loggedSql = (tx: Transaction, entry: NewLogEntry, changed: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  insert into log_entry (store_id, at, kind, by_id, by_name, customer_id, stamp_id, voucher_id, stamps)
  select ${entry.storeId}::uuid, ${tx.now.toISOString()}::timestamptz, ${entry.kind}, ${entry.by?.id ?? null}::text, ${entry.by?.name ?? null}::text, ${entry.customerId}::uuid,
    ${entry.stampId ?? null}::uuid, ${entry.voucherId ?? null}::uuid, ${entry.stamps ?? 1}::int
  from ${changed}`;
