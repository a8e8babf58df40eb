import { z } from 'zod';
import { defineQuestion } from '../question.ts';
import { CustomerId, StoreId } from '../vocabulary.ts';

export const askMarketing = defineQuestion({
  name: 'notifications.ask',
  answerer: 'notifications',
  summary: 'Whether the customer may be asked about marketing: asked fewer than twice for this store, and not opted in.',
  ask: z.object({ customer_id: CustomerId, store_id: StoreId }),
  answer: z.object({ ask: z.boolean() }),
  problems: [],
  deadlineMs: 500,
});

export const reachCustomer = defineQuestion({
  name: 'notifications.reach',
  answerer: 'notifications',
  summary: 'By which way news of a customer’s order would reach them now: the store is told so.',
  ask: z.object({ customer_id: CustomerId, store_id: StoreId }),
  answer: z.object({ channel: z.enum(['push', 'email', 'none']) }),
  problems: [],
  deadlineMs: 500,
});
