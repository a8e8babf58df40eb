import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './cards.ts';

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
  await tx.query(sql.prepared('reverse-stamps', z.object({}))`
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
