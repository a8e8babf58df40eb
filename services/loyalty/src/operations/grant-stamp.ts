import { randomInt } from 'node:crypto';
import type { Operation, Transaction } from '@corner/chassis';
import { type loyalty, Problem, stampApproved } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { voucherCode } from '../rules/codes.ts';
import { type Card, countStamps, lockCard, settleCard } from '../tables/cards.ts';

/** Grants a stamp at the counter, within the store's limits; the voucher it completes is minted in the same transaction. */
export const grantStamp: Operation<typeof loyalty.grantStamp, Context> = async ({ body }, { database, now, newId }) =>
  await database.transaction(async (tx) => {
    const at = now();
    const store = await tx.maybeOne(
      sql.prepared('store-known', z.object({ id: z.string() }))`select id from store where id = ${body.store_id}`,
    );
    if (!store) throw new Problem('STORE_NOT_FOUND');
    const card = await lockCard(tx, body.store_id, body.customer_id, at);
    if (!card?.enabled) throw new Problem('LOYALTY_DISABLED');
    const before = body.idempotency_key ? await grantedBefore(tx, body.store_id, body.customer_id, body.idempotency_key) : null;
    if (before) {
      return {
        stamp_id: before.id,
        current_stamps: await countStamps(tx, body.store_id, body.customer_id),
        goal: card.goal,
        voucher_earned: before.voucher_code !== null,
        voucher_code: before.voucher_code,
        idempotent: true,
      };
    }
    await withinLimits(tx, card, at);
    const stampId = newId();
    await tx.query(sql.prepared('grant-stamp', z.object({}))`
      insert into stamp (id, store_id, customer_id, status, source, grant_key, created_at, approved_at)
      values (${stampId}, ${body.store_id}, ${body.customer_id}, 'approved', 'hub', ${body.idempotency_key ?? null}, ${at.toISOString()}, ${at.toISOString()})`);
    await card.tellStamp(stampApproved, {
      stamp_id: stampId,
      source: 'hub',
      order_id: null,
      stamp_count: await countStamps(tx, body.store_id, body.customer_id),
    });
    const [minted] = await settleCard(tx, card, at, newId, () => voucherCode(randomInt));
    return {
      stamp_id: stampId,
      current_stamps: await countStamps(tx, body.store_id, body.customer_id),
      goal: card.goal,
      voucher_earned: minted !== undefined,
      voucher_code: minted?.code ?? null,
      idempotent: false,
    };
  });

const Granted = z.object({ id: z.string(), customer_id: z.string(), voucher_code: z.string().nullable() });

/** The stamp this key was used for. Throws IDEMPOTENCY_KEY_REUSED when that was for somebody else. */
async function grantedBefore(tx: Transaction, storeId: string, customerId: string, key: string): Promise<z.output<typeof Granted> | null> {
  const granted = await tx.maybeOne(sql.prepared('granted-before', Granted)`
    select s.id, s.customer_id, case when s.id = (
        select l.id from stamp l where l.voucher_id = s.voucher_id order by l.created_at desc, l.id desc limit 1) then v.code end as voucher_code
    from stamp s left join voucher v on v.id = s.voucher_id
    where s.store_id = ${storeId} and s.grant_key = ${key}`);
  if (granted && granted.customer_id !== customerId)
    throw new Problem('IDEMPOTENCY_KEY_REUSED', { message: 'idempotency_key: it was used for another customer.' });
  return granted;
}

/** The customer's day, in the store's zone, and the store's month. */
async function withinLimits(tx: Transaction, card: Card, at: Date): Promise<void> {
  const { today, month } = await tx.one(sql.prepared('stamps-within', z.object({ today: z.number(), month: z.number() }))`
    select
      count(*) filter (where customer_id = ${card.customerId} and source <> 'multi_stamp'
        and created_at >= date_trunc('day', ${at.toISOString()}::timestamptz at time zone ${card.time_zone}) at time zone ${card.time_zone})::int as today,
      count(*)::int as month
    from stamp
    where store_id = ${card.storeId} and status = 'approved' and source <> 'order'
      and created_at >= date_trunc('month', ${at.toISOString()}::timestamptz at time zone ${card.time_zone}) at time zone ${card.time_zone}`);
  if (today >= card.daily_stamp_limit) throw new Problem('DAILY_LIMIT_REACHED');
  if (card.monthly_stamp_quota !== null && month >= card.monthly_stamp_quota) throw new Problem('MONTHLY_LIMIT_REACHED');
}
