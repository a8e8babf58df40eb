import type { Operation, Transaction } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import type { Context } from '../context.ts';
import { type Card, lockCard, Standing, selectStanding, settleCard, standingOf, tellApproved } from '../tables/cards.ts';
import { quotaSpent, stampsAround } from '../tables/limits.ts';
import { type StampBefore, stampBefore } from '../tables/stamp-before.ts';
import { findStore } from '../tables/stores.ts';

/** Grants a stamp at the counter, within the store's limits; the voucher it completes is minted in the same transaction. */
export const grantStamp: Operation<typeof loyalty.grantStamp, Context> = async ({ body }, { database, now, newId }) =>
  await database.transaction(async (tx) => {
    const at = now();
    const card = await lockCard(tx, body.store_id, body.customer_id, at, { quota: true });
    if (!card?.enabled) throw new Problem((await findStore(tx, body.store_id)) ? 'LOYALTY_DISABLED' : 'STORE_NOT_FOUND');
    const before = body.idempotency_key ? await grantedBefore(tx, card, body.idempotency_key) : null;
    if (before) {
      return {
        stamp_id: before.id,
        current_stamps: (await standingOf(tx, card)).stampCount,
        goal: card.goal,
        voucher_earned: before.voucher_code !== null,
        voucher_code: before.voucher_code,
        idempotent: true,
      };
    }
    const { day, month } = await stampsAround(tx, card, at, at);
    if (day >= card.daily_stamp_limit) throw new Problem('DAILY_LIMIT_REACHED');
    if (quotaSpent(card, month)) throw new Problem('MONTHLY_LIMIT_REACHED');
    const stampId = newId();
    const reached = await tx.one(sql.prepared('grant-stamp', Standing)`
      with granted as (
        insert into stamp (id, store_id, customer_id, status, source, grant_key, created_at, approved_at)
        values (${stampId}, ${card.storeId}, ${card.customerId}, 'approved', 'hub', ${body.idempotency_key ?? null}, ${at.toISOString()}, ${at.toISOString()})
      )
      ${selectStanding(card, sql.fragment`1`)}`);
    await tellApproved(card, [stampId], { source: 'hub', order_id: null }, reached.stampCount);
    const { minted, stampCount } = await settleCard(tx, card, reached, at, newId);
    return {
      stamp_id: stampId,
      current_stamps: stampCount,
      goal: card.goal,
      voucher_earned: minted.length > 0,
      voucher_code: minted[0]?.code ?? null,
      idempotent: false,
    };
  });

/** The stamp this key was used for. Throws IDEMPOTENCY_KEY_REUSED when that was for somebody else. */
async function grantedBefore(tx: Transaction, { storeId, customerId }: Card, grantKey: string): Promise<StampBefore | null> {
  const granted = await stampBefore(tx, { storeId, grantKey });
  if (granted && granted.customer_id !== customerId)
    throw new Problem('IDEMPOTENCY_KEY_REUSED', { message: 'idempotency_key: it was used for another customer.' });
  return granted;
}
