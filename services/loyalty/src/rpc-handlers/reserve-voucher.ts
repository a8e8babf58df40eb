import { handleRpc } from '@corner/chassis';
import { reserveVoucher } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { heldByDispute, whyNotUsable } from '../tables/vouchers.ts';

const Reward = z.object({ kind: z.enum(['amount', 'percent', 'item']), value: z.number(), item_id: z.string().nullable() });
const Reserved = z.object({ reward: Reward, reward_title: z.string().nullable(), voucher_type: z.string().nullable() });
/** Reserves a voucher for an unpaid order; asked again by the same order it answers the same. */
export const handleReserveVoucher = handleRpc(
  reserveVoucher,
  async ({ order_id, voucher_id, customer_id, store_id, until }, { database, now }: Context) => {
    const reserved = await database.maybeOne(sql.prepared('reserve-voucher', Reserved)`
    update voucher set status = 'reserved', reserved_by = ${order_id}, reserved_until = ${until}
    where id = ${voucher_id} and store_id = ${store_id} and customer_id = ${customer_id}
      and (status = 'active' and expires_at > ${now().toISOString()} and not ${heldByDispute} or status = 'reserved' and reserved_by = ${order_id})
    returning reward, reward_title, voucher_type`);
    if (reserved) {
      const { reward, reward_title, voucher_type } = reserved;
      return { voucher_id, voucher_type, value_kind: reward.kind, value: reward.value, item_id: reward.item_id, reward_title };
    }
    throw await whyNotUsable(database, { voucher_id, store_id, customer_id }, now());
  },
);
