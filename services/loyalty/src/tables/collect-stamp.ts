import type { Transaction } from '@corner/chassis';
import { stampPending } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Card, type Minted, Standing, selectStanding, settleCard, tellApproved } from './cards.ts';

/** A stamp a customer brings: by a code, or by a receipt of a tap. */
export interface Collected {
  readonly id: string;
  readonly source: string;
  readonly status: 'approved' | 'pending';
  /** Why it counts at once, or waits. */
  readonly reason: string;
  readonly collectedAt: Date;
  readonly codeId?: string;
  readonly receiptId?: string;
}

/** Puts a stamp on a locked card; one that counts may complete vouchers. Answers how the card stands then. */
export async function collectStamp(
  tx: Transaction,
  card: Card,
  stamp: Collected,
  at: Date,
  newId: () => string,
): Promise<{ readonly stampCount: number; readonly minted: readonly Minted[] }> {
  const counts = stamp.status === 'approved';
  const reached = await tx.one(sql.prepared('collect-stamp', Standing)`
    with collected as (
      insert into stamp (id, store_id, customer_id, status, source, approval_reason, code_id, receipt_id, created_at, approved_at)
      values (${stamp.id}, ${card.storeId}, ${card.customerId}, ${stamp.status}, ${stamp.source}, ${stamp.reason}, ${stamp.codeId ?? null},
        ${stamp.receiptId ?? null}, ${stamp.collectedAt.toISOString()}, ${counts ? at.toISOString() : null})
      returning (status = 'approved')::int as counts
    )
    ${selectStanding(card, sql.fragment`(select counts from collected)`)}`);
  if (counts) {
    await tellApproved(card, [stamp.id], { source: stamp.source, order_id: null }, reached.stampCount);
    return await settleCard(tx, card, reached, at, newId);
  }
  await card.tellStamp(stampPending, { stamp_id: stamp.id, source: stamp.source, order_id: null, stamp_count: reached.stampCount });
  return { stampCount: reached.stampCount, minted: [] };
}

/** A guest's stamp: it waits for approval, on no card, and is told of nobody. */
export async function collectForGuest(tx: Transaction, storeId: string, { id, source, reason, collectedAt, codeId }: Collected) {
  await tx.query(sql.prepared('collect-for-guest', z.object({}))`
    insert into stamp (id, store_id, status, source, approval_reason, code_id, created_at)
    values (${id}, ${storeId}, 'pending', ${source}, ${reason}, ${codeId ?? null}, ${collectedAt.toISOString()})`);
}
