import { handleMarketingAsk } from './rpc-handlers/ask-marketing.ts';
import { handleReachCustomer } from './rpc-handlers/reach-customer.ts';

/** What other services may ask. */
export const rpcHandlers = { handleMarketingAsk, handleReachCustomer };
