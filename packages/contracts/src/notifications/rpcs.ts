import { z } from 'zod';
import { defineRpc } from '../rpc.ts';
import { CustomerId, Instant, OrderId, StoreId } from '../vocabulary.ts';
import { orderMessages } from './shapes.ts';

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

export const readOrderMessages = defineRpc({
  name: 'notifications.order-story',
  service: 'notifications',
  summary: 'Returns what became of the messages about an order and its refunds to its customer: no text and no address.',
  input: z.object({
    order_ids: z.array(OrderId).max(50),
    customer_id: CustomerId,
    refund_ids: z.array(z.string().max(64)).max(100),
  }),
  output: z.object({
    messages: z.array(
      z.object({
        /** For a message that was not sent, when it was made. */
        at: Instant,
        about: z.enum(orderMessages),
        channel: z.enum(['push', 'email', 'sms']),
        state: z.enum(['sent', 'failed', 'muted']),
      }),
    ),
  }),
  problems: [],
  deadlineMs: 500,
});
