import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { CardBalance, type CardKey, selectCardBalance, visitedAt } from './cards.ts';

/** Inserts a stamp granted at the counter. Returns the balance with it. */
export async function insertGrantedStamp(
  tx: Transaction,
  card: CardKey,
  { stampId, grantKey }: { readonly stampId: string; readonly grantKey: string | null },
): Promise<CardBalance> {
  const now = tx.now.toISOString();
  return await tx.one(sql.prepared('grant-stamp', CardBalance)`
    with granted as (
      insert into stamp (id, store_id, customer_id, status, source, grant_key, created_at, approved_at)
      values (${stampId}, ${card.storeId}, ${card.customerId}, 'approved', 'hub', ${grantKey}, ${now}, ${now})
    ),
    visited as (${visitedAt(card, now, 'staff')})
    ${selectCardBalance(card, sql.fragment`1`)}`);
}

/** Inserts a paid order's stamps, as reversed where the order's refund was consumed first. Returns the balance with them. */
export async function insertOrderStamps(
  tx: Transaction,
  card: CardKey,
  { orderId, stampIds, reversed }: { readonly orderId: string; readonly stampIds: readonly string[]; readonly reversed: boolean },
): Promise<CardBalance> {
  const now = tx.now.toISOString();
  return await tx.one(sql.prepared('stamp-order', CardBalance)`
    with fresh as (
      insert into stamp (id, store_id, customer_id, status, source, order_id, ordinal, created_at, approved_at)
      select s.id, ${card.storeId}, ${card.customerId}, ${reversed ? 'reversed' : 'approved'}, 'order', ${orderId}, s.ordinal, ${now}, ${now}
      from unnest(${sql.array([...stampIds], 'uuid')}) with ordinality s(id, ordinal)
      returning status
    )
    ${selectCardBalance(card, sql.fragment`(select count(*) from fresh where status = 'approved')`)}`);
}

/** Inserts the stamps of a confirmed multi-stamp request. Returns the balance with them. */
export async function insertRequestStamps(
  tx: Transaction,
  card: CardKey,
  { requestId, stampIds, reason }: { readonly requestId: string; readonly stampIds: readonly string[]; readonly reason: string },
): Promise<CardBalance> {
  const now = tx.now.toISOString();
  return await tx.one(sql.prepared('stamp-request', CardBalance)`
    with collected as (
      insert into stamp (id, store_id, customer_id, status, source, approval_reason, request_id, ordinal, created_at, approved_at)
      select s.id, ${card.storeId}, ${card.customerId}, 'approved', 'multi_stamp', ${reason}, ${requestId}, s.ordinal, ${now}, ${now}
      from unnest(${sql.array([...stampIds], 'uuid')}) with ordinality s(id, ordinal)
    ),
    visited as (${visitedAt(card, now, 'customer')})
    ${selectCardBalance(card, sql.fragment`${stampIds.length}::int`)}`);
}

/** A stamp a customer collects with a code, or with a receipt of an offline tap. */
export interface CollectedStamp {
  readonly id: string;
  readonly source: string;
  readonly approved: boolean;
  /** Why it counts at once, or waits for approval. */
  readonly reason: string;
  readonly collectedAt: Date;
  readonly codeId?: string;
  readonly receiptId?: string;
}

/** Inserts a collected stamp. Returns the balance with it, if it counts. */
export async function insertCollectedStamp(tx: Transaction, card: CardKey, stamp: CollectedStamp): Promise<CardBalance> {
  // The clock of a phone may be ahead of ours.
  const visit = new Date(Math.min(stamp.collectedAt.getTime(), tx.now.getTime()));
  return await tx.one(sql.prepared('collect-stamp', CardBalance)`
    with collected as (
      insert into stamp (id, store_id, customer_id, status, source, approval_reason, code_id, receipt_id, created_at, approved_at)
      values (${stamp.id}, ${card.storeId}, ${card.customerId}, ${stamp.approved ? 'approved' : 'pending'}, ${stamp.source}, ${stamp.reason},
        ${stamp.codeId ?? null}, ${stamp.receiptId ?? null}, ${stamp.collectedAt.toISOString()}, ${stamp.approved ? tx.now.toISOString() : null})
      returning (status = 'approved')::int as counts
    ),
    visited as (${visitedAt(card, visit.toISOString(), 'customer')})
    ${selectCardBalance(card, sql.fragment`(select counts from collected)`)}`);
}

/** Inserts a guest's stamp. It waits for approval and is on no card. */
export async function insertGuestStamp(tx: Transaction, storeId: string, stamp: Omit<CollectedStamp, 'approved'>): Promise<void> {
  await tx.query(sql.prepared('collect-guest-stamp', z.object({}))`
    insert into stamp (id, store_id, status, source, approval_reason, code_id, created_at)
    values (${stamp.id}, ${storeId}, 'pending', ${stamp.source}, ${stamp.reason}, ${stamp.codeId ?? null}, ${stamp.collectedAt.toISOString()})`);
}

const EarlierStamp = z.object({
  id: z.string(),
  store_id: z.string(),
  customer_id: z.string().nullable(),
  status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']),
  approval_reason: z.string().nullable(),
  /** Null unless this stamp completed a voucher. */
  voucher_id: z.string().nullable(),
  voucher_code: z.string().nullable(),
  goal: z.number(),
});
export type EarlierStamp = z.output<typeof EarlierStamp>;

/** What a repeated request has in common with its first one. */
export type StampOrigin =
  | { readonly grantKey: string; readonly storeId: string }
  | { readonly codeId: string }
  | { readonly receiptId: string; readonly customerId: string };

/** Finds the stamp an earlier request made, with the voucher that this stamp completed. */
export async function findEarlierStamp(tx: Transaction, origin: StampOrigin): Promise<EarlierStamp | null> {
  const [name, matches] =
    'grantKey' in origin
      ? ['stamp-of-grant', sql.fragment`s.store_id = ${origin.storeId} and s.grant_key = ${origin.grantKey}`]
      : 'codeId' in origin
        ? ['stamp-of-code', sql.fragment`s.code_id = ${origin.codeId}`]
        : ['stamp-of-receipt', sql.fragment`s.customer_id = ${origin.customerId} and s.receipt_id = ${origin.receiptId}`];
  return await tx.maybeOne(sql.prepared(name, EarlierStamp)`
    select s.id, s.store_id, s.customer_id, s.status, s.approval_reason, v.id as voucher_id, v.code as voucher_code, coalesce(p.goal, 0) as goal
    from stamp s
    left join programme p on p.store_id = s.store_id
    left join lateral (
      select id, code from voucher where id = s.voucher_id
        and s.id = (select l.id from stamp l where l.voucher_id = s.voucher_id order by l.approved_at desc, l.id desc limit 1)
      limit 1
    ) v on true
    where ${matches}`);
}
