import { z } from 'zod';
import { defineRpc } from '../rpc.ts';
import { CustomerId, StoreId } from '../vocabulary.ts';

export const marketingAsk = defineRpc({
  name: 'notifications.ask',
  service: 'notifications',
  summary: 'Returns whether the customer may be asked to accept marketing: asked fewer than twice for this store, and not opted in.',
  input: z.object({ customer_id: CustomerId, store_id: StoreId }),
  output: z.object({ ask: z.boolean() }),
  problems: [],
  deadlineMs: 500,
});

export const reachCustomer = defineRpc({
  name: 'notifications.reach',
  service: 'notifications',
  summary: 'Returns the channel over which a message about an order would reach the customer now. Sends nothing.',
  input: z.object({ customer_id: CustomerId, store_id: StoreId }),
  output: z.object({ channel: z.enum(['push', 'email', 'none']) }),
  problems: [],
  deadlineMs: 500,
});
