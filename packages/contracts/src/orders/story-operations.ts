import { z } from 'zod';
import { languages } from '../directory/snapshot-parts.ts';
import { customer, defineOperation, staff } from '../operation.ts';
import { OrderId, StoreId } from '../vocabulary.ts';
import { OrderStory, StoreOrderStory } from './story.ts';

const someOrder = '0190a000-0000-7000-8000-0000000000e1';
const demoStore = '0190a000-0000-7000-8000-000000000001';
const params = z.object({ orderId: OrderId });
const language = z.enum(languages).default('en').describe('The language of the sentences.');

export const readOrderStory = defineOperation({
  name: 'readOrderStory',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/{orderId}/story',
  summary: 'Read what happened to an order.',
  description:
    'The first thing first: order, payment, preparation, refunds, disputes, stamps, vouchers, and whether messages reached the customer. stamps says how many count, and why none does. A part of a mixed order has the story of the whole order. Names staff, no address and no text of a message. What services did not reply is left out and named in missing. Messages are kept for 30 days.',
  caller: staff,
  params,
  query: z.object({ store_id: StoreId, language }),
  reply: StoreOrderStory,
  problems: ['ORDER_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { params: { orderId: someOrder }, query: { store_id: demoStore, language: 'en' } },
});

export const readMyOrderStory = defineOperation({
  name: 'readMyOrderStory',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/{orderId}/mine/story',
  summary: 'Read what happened to one of the customer’s own orders.',
  description:
    'As readOrderStory, but it names no one: what staff did was done by the store. The order of another customer is ORDER_NOT_FOUND.',
  caller: customer,
  params,
  query: z.object({ language }),
  reply: OrderStory,
  problems: ['ORDER_NOT_FOUND'],
  replay: 'none',
  revalidated: true,
  extension: true,
  example: { params: { orderId: someOrder }, query: { language: 'en' } },
});
