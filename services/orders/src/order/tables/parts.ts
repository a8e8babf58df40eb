import { NoColumns, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { appendLogSql, type LogEntry } from './log.ts';

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
