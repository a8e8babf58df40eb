import { handleMarketingAsk } from './messages/rpc-handlers/handle-marketing-ask.ts';
import { handleReachCustomer } from './messages/rpc-handlers/handle-reach-customer.ts';

/** What other services may ask. */
export const rpcHandlers = { handleMarketingAsk, handleReachCustomer };
