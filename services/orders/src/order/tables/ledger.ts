import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { appendLogSql, type LogEntry } from './log.ts';

export const LedgerEntry = z.object({
  kind: z.string(),
  provider_ref: z.string(),
  amount_pence: z.number(),
  store_id: z.string(),
  order_id: z.string(),
});
export type LedgerEntry = z.output<typeof LedgerEntry>;

/**
 * Money that moved, signed from the platform's side: negative when the platform or the store paid. `currency` is upper case.
 * `provider_ref` is the provider's id of the movement, unique with the kind.
 */
export interface LedgerRow {
  readonly kind: 'dispute' | 'dispute_returned' | 'dispute_fee' | 'transfer_reversal' | 'transfer';
  readonly provider_ref: string;
  readonly amount_pence: number;
  readonly currency: string;
}

export const TenderEntry = z.object({
  kind: z.string(),
  provider_ref: z.string(),
  tender: z.enum(['cash', 'external_card', 'none']),
  amount_pence: z.number(),
  given_pence: z.number().nullable(),
  reference: z.string().nullable(),
  at: z.string(),
});

export const tenderEntrySql = (from: FragmentSqlToken): FragmentSqlToken => sql.fragment`jsonb_build_object('kind', ${from}.kind,
  'provider_ref', ${from}.provider_ref, 'tender', ${from}.tender, 'amount_pence', ${from}.amount_pence, 'given_pence', ${from}.given_pence,
  'reference', ${from}.reference, 'at', ${instantOf(sql.fragment`${from}.at`)})`;

export const findTenderEntries = (queries: Queries, orderId: string): Promise<readonly z.output<typeof TenderEntry>[]> =>
  queries.any(sql.prepared('find-tender-entries', TenderEntry)`
    select kind, provider_ref, tender, amount_pence, given_pence, reference, ${instantOf(sql.fragment`at`)} as at
    from ledger where order_id = ${orderId} and tender is not null order by id`);

/**
 * Locks the open drawer of a store against closing until the transaction ends, so that its cash is counted, and returns its id; null when
 * none is open. The last lock of a transaction: closing a drawer locks nothing else.
 */
export const lockOpenDrawer = (tx: Transaction, storeId: string): Promise<string | null> =>
  tx.maybeOneFirst(sql.prepared('lock-open-drawer', z.object({ id: z.string() }))`
    select id from drawer where store_id = ${storeId} and closed_at is null for share`);

/** Enters new movements in the ledger, each kind and reference once. */
export async function enterMovements(
  tx: Transaction,
  { id: orderId, store_id: storeId, currency }: { readonly id: string; readonly store_id: string; readonly currency: string },
  rows: readonly LedgerRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql.prepared('enter-movements', NoColumns)`
    insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, currency, at)
    select ${storeId}, ${orderId}, r.kind, r.provider_ref, r.amount_pence, nullif(r.currency, ${currency}), ${tx.now.toISOString()}
    from jsonb_to_recordset(${sql.jsonb(rows)}) as r(kind text, provider_ref text, amount_pence integer, currency text)
    order by r.kind, r.provider_ref
    on conflict on constraint money_moves_once do nothing`);
}

/** A part that was paid of an open sale. `drawer_id` is null where no drawer was open, and for a card. */
const Part = z.object({
  provider_ref: z.string(),
  tender: z.enum(['cash', 'external_card']),
  amount_pence: z.number(),
  given_pence: z.number().nullable(),
  reference: z.string().nullable(),
  by_id: z.string(),
  drawer_id: z.string().nullable(),
  is_returned: z.boolean(),
});
export type Part = z.output<typeof Part>;

/** Reads the parts of a sale, the first one first. The caller holds the lock of the order. */
export const findParts = (tx: Transaction, orderId: string): Promise<readonly Part[]> =>
  tx.any(sql.prepared('find-parts', Part)`
    select provider_ref, tender, amount_pence, given_pence, reference, by_id, drawer_id, returned_at is not null as is_returned
    from part_payment where order_id = ${orderId} order by at, provider_ref`);

/** Enters parts, each once, with their log entry. A sale of which a part is paid no longer expires: someone has to pay it or cancel it. */
export async function insertParts(
  tx: Transaction,
  { storeId, orderId }: { readonly storeId: string; readonly orderId: string },
  parts: readonly object[],
  entry: LogEntry,
): Promise<void> {
  await tx.query(sql.prepared('insert-parts', NoColumns)`
    with kept as (update orders set pay_until = null where id = ${orderId}), logged as (${appendLogSql(tx.now, [entry])})
    insert into part_payment (provider_ref, store_id, order_id, tender, amount_pence, given_pence, reference, at, by_id, drawer_id)
    select p.provider_ref, ${storeId}, ${orderId}, p.tender, p.amount_pence, p.given_pence, p.reference, ${tx.now.toISOString()}, p.by_id, p.drawer_id
    from jsonb_populate_recordset(null::part_payment, ${sql.jsonb(parts)}) p`);
}

/** Removes the parts of a sale that was paid: the ledger has them as charges. */
export async function removeParts(tx: Transaction, orderId: string): Promise<void> {
  await tx.query(sql.prepared('remove-parts', NoColumns)`delete from part_payment where order_id = ${orderId}`);
}

/** Notes that all parts of a sale were given back, cash out of a drawer; null where none is open. */
export async function returnParts(tx: Transaction, orderId: string, byId: string | null, drawerId: string | null): Promise<void> {
  await tx.query(sql.prepared('return-parts', NoColumns)`
    update part_payment
    set returned_at = ${tx.now.toISOString()}, returned_by_id = ${byId},
      returned_drawer_id = case when tender = 'cash' then ${drawerId}::uuid end
    where order_id = ${orderId} and returned_at is null`);
}
