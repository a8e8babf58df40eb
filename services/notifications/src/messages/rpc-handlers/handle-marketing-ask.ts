import { handleRpc } from '@corner/chassis';
import { marketingAsk } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../../context.ts';

/** A customer may be asked about a store's marketing twice at most, and not once opted in. Asking this counts for nothing. */
export const handleMarketingAsk = handleRpc(marketingAsk, async ({ customer_id, store_id }, { database }: Context) => {
  const settled = await database.exists(sql.prepared('marketing-settled', z.object({}))`
    select 1
    from marketing_ask
    where store_id = ${store_id} and customer_id = ${customer_id} and asks >= 2
    union all
    select 1
    from preference
    where store_id = ${store_id} and customer_id = ${customer_id} and marketing_enabled`);
  return { ask: !settled };
});
