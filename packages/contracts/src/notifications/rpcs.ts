import { z } from 'zod';
import { defineRpc } from '../rpc.ts';
import { CustomerId, StoreId } from '../vocabulary.ts';

export const marketingAsk = defineRpc({
  name: 'notifications.ask',
  service: 'notifications',
  summary: 'Whether the customer may be asked about marketing: asked fewer than twice for this store, and not opted in.',
  input: z.object({ customer_id: CustomerId, store_id: StoreId }),
  output: z.object({ ask: z.boolean() }),
  problems: [],
  deadlineMs: 500,
});

export const reachCustomer = defineRpc({
  name: 'notifications.reach',
  service: 'notifications',
  summary: 'By which way news of a customer’s order would reach them now: the store is told so.',
  input: z.object({ customer_id: CustomerId, store_id: StoreId }),
  output: z.object({ channel: z.enum(['push', 'email', 'none']) }),
  problems: [],
  deadlineMs: 500,
});
