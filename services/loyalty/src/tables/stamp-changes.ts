import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { CardBalance, type CardKey, selectCardBalance } from './cards.ts';

const none = z.object({});

/** A stamp of a store. */
interface StampKey {
  readonly storeId: string;
  readonly stampId: string;
}

const Owner = z.object({ customer_id: z.string().nullable() });

/** Reads whose stamp it is; a guest's has the customer null. Null for a stamp that does not exist or belongs to another store. */
export const findStampOwner = async (tx: Transaction, { storeId, stampId }: StampKey): Promise<z.output<typeof Owner> | null> =>
  await tx.maybeOne(sql.prepared('stamp-owner', Owner)`
    select customer_id from stamp where id = ${stampId} and store_id = ${storeId}`);

const Reviewed = z.object({ status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']), source: z.string() });

/** Locks a stamp for a review. Its card, if it has one, is locked before. */
export const lockStamp = async (tx: Transaction, { storeId, stampId }: StampKey): Promise<z.output<typeof Reviewed>> =>
  await tx.one(sql.prepared('lock-stamp', Reviewed)`
    select status, source from stamp where id = ${stampId} and store_id = ${storeId} for update`);

/** Approves a locked stamp. */
export async function approveStamp(tx: Transaction, { storeId, stampId }: StampKey): Promise<void> {
  await tx.query(sql.prepared('approve-stamp', none)`
    update stamp set status = 'approved', approved_at = ${tx.now.toISOString()} where id = ${stampId} and store_id = ${storeId}`);
}

/** Rejects a locked stamp. */
export async function rejectStamp(tx: Transaction, { storeId, stampId }: StampKey): Promise<void> {
  await tx.query(sql.prepared('reject-stamp', none)`update stamp set status = 'rejected' where id = ${stampId} and store_id = ${storeId}`);
}

const Undone = CardBalance.extend({ undone: z.boolean() });

/** Undoes a stamp granted at the counter that is approved and unused. Returns whether it did, and the balance after. The card is locked. */
export async function markUndone(tx: Transaction, card: CardKey, stampId: string): Promise<z.output<typeof Undone>> {
  return await tx.one(sql.prepared('undo-stamp', Undone)`
    with undone as (
      update stamp set status = 'undone'
      where id = ${stampId} and store_id = ${card.storeId} and customer_id = ${card.customerId}
        and source = 'hub' and status = 'approved' and voucher_id is null and not paid_debt
      returning id
    )
    select balance."stampCount", balance.debt, exists (select from undone) as undone
    from (${selectCardBalance(card, sql.fragment`-(select count(*) from undone)`)}) balance`);
}

const Granted = z.object({ source: z.string(), used: z.boolean() });

/** Reads what decides why a stamp was not undone. */
export const findGrantedStamp = async (
  tx: Transaction,
  { storeId, customerId }: CardKey,
  stampId: string,
): Promise<z.output<typeof Granted> | null> =>
  await tx.maybeOne(sql.prepared('stamp-not-undone', Granted)`
    select source, voucher_id is not null or paid_debt as used
    from stamp where id = ${stampId} and store_id = ${storeId} and customer_id = ${customerId}`);
