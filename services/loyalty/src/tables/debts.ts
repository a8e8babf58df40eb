import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './cards.ts';

const none = z.object({});

/** Pays a card's debt with its oldest unused stamps, as far as they go. The card is locked. */
export async function payDebt(tx: Transaction, { storeId, customerId }: CardKey): Promise<void> {
  await tx.query(sql.prepared('pay-debt', none)`
    with paying as (
      update stamp set paid_debt = true where id = any(array(
        select id from stamp
        where store_id = ${storeId} and customer_id = ${customerId} and status = 'approved' and voucher_id is null and not paid_debt
        order by created_at, id limit (select debt from card where store_id = ${storeId} and customer_id = ${customerId})
      )) returning 1
    )
    update card set debt = debt - (select count(*) from paying) where store_id = ${storeId} and customer_id = ${customerId}`);
}

/**
 * Lowers a card's debt by `stamps`. Where that much is no longer owed, the newest stamps that paid it become unused again. The card is
 * locked.
 */
export async function forgiveDebt(tx: Transaction, { storeId, customerId }: CardKey, stamps: number): Promise<void> {
  await tx.query(sql.prepared('forgive-debt', none)`
    with forgiven as (
      update card set debt = greatest(0, debt - ${stamps}) where store_id = ${storeId} and customer_id = ${customerId}
      returning greatest(0, ${stamps} - old.debt) as paid
    )
    update stamp set paid_debt = false where id = any(array(
      select id from stamp where store_id = ${storeId} and customer_id = ${customerId} and status = 'approved' and paid_debt
      order by created_at desc, id desc limit (select paid from forgiven)
    ))`);
}
