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

/** The ids of an order's stamps, by the order alone: with the store beside it, the planner prefers an index by store on a young table. */
const idsOfOrder = (orderId: string) => sql.fragment`array(select id from stamp where order_id = ${orderId})`;

const OrderStamp = z.object({
  id: z.string(),
  paid_debt: z.boolean(),
  voucher_id: z.string().nullable(),
  voucher_status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']).nullable(),
});

/** Reads an order's approved stamps, each with what it was used for. */
export const approvedStampsOfOrder = async (
  tx: Transaction,
  { storeId }: CardKey,
  orderId: string,
): Promise<readonly z.output<typeof OrderStamp>[]> =>
  await tx.any(sql.prepared('stamps-of-order', OrderStamp)`
    select s.id, s.paid_debt, s.voucher_id, v.status as voucher_status
    from stamp s left join voucher v on v.id = s.voucher_id
    where s.id = any(${idsOfOrder(orderId)}) and s.store_id = ${storeId} and s.status = 'approved' order by s.ordinal`);

/** Takes stamps back, and adds one to the card's debt for each of those `indebting`. The card is locked. */
export async function reverseStamps(
  tx: Transaction,
  { storeId, customerId }: CardKey,
  { reverse, indebting }: { readonly reverse: readonly string[]; readonly indebting: readonly string[] },
): Promise<void> {
  await tx.query(sql.prepared('reverse-stamps', none)`
    with reversed as (
      update stamp set status = 'reversed', left_debt = id = any(${sql.array([...indebting], 'uuid')})
      where id = any(${sql.array([...reverse], 'uuid')}) and store_id = ${storeId}
    )
    update card set debt = debt + ${indebting.length} where store_id = ${storeId} and customer_id = ${customerId}`);
}

const Reinstated = z.object({ id: z.string(), left_debt: z.boolean() });

/** Approves an order's reversed stamps again. Returns them, each with whether taking it back had left a debt. */
export const reinstateStamps = async (
  tx: Transaction,
  { storeId }: CardKey,
  orderId: string,
): Promise<readonly z.output<typeof Reinstated>[]> =>
  await tx.any(sql.prepared('reinstate-stamps', Reinstated)`
    update stamp set status = 'approved', left_debt = false
    where id = any(${idsOfOrder(orderId)}) and store_id = ${storeId} and status = 'reversed'
    returning id, old.left_debt`);
