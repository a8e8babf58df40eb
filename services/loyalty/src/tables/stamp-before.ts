import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const StampBefore = z.object({
  id: z.string(),
  store_id: z.string(),
  customer_id: z.string().nullable(),
  status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']),
  approval_reason: z.string().nullable(),
  voucher_id: z.string().nullable(),
  voucher_code: z.string().nullable(),
  goal: z.number(),
});
export type StampBefore = z.output<typeof StampBefore>;

/** Where a repeat finds the stamp its first request made. */
export type MadeBy =
  | { readonly grantKey: string; readonly storeId: string }
  | { readonly codeId: string }
  | { readonly receiptId: string; readonly customerId: string };

/** The stamp that was made before, with the voucher when it was the one that completed it. */
export async function stampBefore(tx: Transaction, by: MadeBy): Promise<StampBefore | null> {
  const [name, madeBy] =
    'grantKey' in by
      ? ['granted-before', sql.fragment`s.store_id = ${by.storeId} and s.grant_key = ${by.grantKey}`]
      : 'codeId' in by
        ? ['redeemed-before', sql.fragment`s.code_id = ${by.codeId}`]
        : ['synced-before', sql.fragment`s.customer_id = ${by.customerId} and s.receipt_id = ${by.receiptId}`];
  return await tx.maybeOne(sql.prepared(name, StampBefore)`
    select s.id, s.store_id, s.customer_id, s.status, s.approval_reason, v.id as voucher_id, v.code as voucher_code, coalesce(p.goal, 0) as goal
    from stamp s
    left join programme p on p.store_id = s.store_id
    left join voucher v on v.id = s.voucher_id
      and s.id = (select l.id from stamp l where l.voucher_id = s.voucher_id order by l.approved_at desc, l.id desc limit 1)
    where ${madeBy}`);
}
