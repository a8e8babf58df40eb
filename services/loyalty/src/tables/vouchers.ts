import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** Frees a voucher that this order, and no other, has reserved. Answers whether it did. */
export async function releaseReserved(
  queries: Pick<Queries, 'maybeOne'>,
  storeId: string,
  voucherId: string,
  orderId: string,
): Promise<boolean> {
  const freed = await queries.maybeOne(sql.prepared('release-voucher', z.object({ id: z.string() }))`
    update voucher set status = 'active', reserved_by = null, reserved_until = null
    where id = ${voucherId} and store_id = ${storeId} and status = 'reserved' and reserved_by = ${orderId}
    returning id`);
  return freed !== null;
}
