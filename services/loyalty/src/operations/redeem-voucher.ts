import type { Operation } from '@corner/chassis';
import { type loyalty, voucherRedeemed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { lockCard } from '../tables/cards.ts';
import { heldByDispute, whyNotUsable } from '../tables/vouchers.ts';

const Redeemed = z.object({ code: z.string(), reward_title: z.string().nullable() });

/** Redeems a voucher at the counter, once, however many try. Not one that an unpaid order or a dispute holds. */
export const redeemVoucher: Operation<typeof loyalty.redeemVoucher, Context> = async ({ body }, { database, now }) => {
  const { store_id, customer_id, voucher_id } = body;
  const at = now();
  return await database.transaction(async (tx) => {
    const card = await lockCard(tx, store_id, customer_id, at);
    const voucher = await tx.maybeOne(sql.prepared('redeem-voucher', Redeemed)`
      update voucher set status = 'redeemed', redeemed_at = ${at.toISOString()}
      where id = ${voucher_id} and store_id = ${store_id} and customer_id = ${customer_id} and status = 'active' and expires_at > ${at.toISOString()}
        and not ${heldByDispute}
      returning code, reward_title`);
    if (!voucher || !card) throw await whyNotUsable(tx, body, at);
    const { code, reward_title } = voucher;
    await card.tellVoucher(voucherRedeemed, { voucher_id, reward_title, code_tail: code.slice(-4), order_id: null });
    return { voucher_id, redemption_code: code, reward_title };
  });
};
