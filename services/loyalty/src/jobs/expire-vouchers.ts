import { voucherExpired } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { lockCard } from '../tables/cards.ts';

const Due = z.object({ id: z.string(), store_id: z.string(), customer_id: z.string() });
const Expired = z.object({ code: z.string(), reward_title: z.string().nullable() });

/** Frees reservations whose order never came back for them, and ends vouchers whose last day is past. */
export async function expireVouchers({ database, now }: Context): Promise<void> {
  const at = now();
  await database.query(sql.prepared('lapse-reservations', z.object({}))`
    update voucher set status = 'active', reserved_by = null, reserved_until = null
    where status = 'reserved' and reserved_until < ${at.toISOString()}`);
  const due = await database.any(sql.prepared('vouchers-due', Due)`
    select id, store_id, customer_id from voucher where status = 'active' and expires_at < ${at.toISOString()} order by expires_at limit 200`);
  for (const { id, store_id, customer_id } of due) {
    await database.transaction(async (tx) => {
      const card = await lockCard(tx, store_id, customer_id, at);
      const voucher = await tx.maybeOne(sql.prepared('expire-voucher', Expired)`
        update voucher set status = 'expired' where id = ${id} and store_id = ${store_id} and status = 'active' returning code, reward_title`);
      if (card && voucher)
        await card.tellVoucher(voucherExpired, {
          voucher_id: id,
          reward_title: voucher.reward_title,
          code_tail: voucher.code.slice(-4),
          order_id: null,
        });
    });
  }
}
