import { handleRpc } from '@corner/chassis';
import { marketingAsk } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { maxMarketingAsks } from '../rules/max-marketing-asks.ts';
import { isMarketingSettled } from '../tables/consents.ts';

/** Says whether a customer may be asked about a store's marketing: twice at most, and not once they have opted in. Changes nothing. */
export const handleMarketingAsk = handleRpc(marketingAsk, async ({ customer_id, store_id }, { database }: Context) => ({
  ask: !(await isMarketingSettled(database, { customerId: customer_id, storeId: store_id }, maxMarketingAsks)),
}));
