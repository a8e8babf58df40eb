import { z } from 'zod';
import { anyone, customer, defineOperation } from '../operation.ts';
import { extension, Instant, InstantInput, OrderId, queryInteger, StoreId } from '../vocabulary.ts';
import { storeSwitched } from './events.ts';
import { CustomerOrder, OpenSlot, Store, StoreMenuItem } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const someOrder = '0190a000-0000-7000-8000-0000000000e1';
const service = 'orders';
const ofStore = z.object({ store_id: StoreId });
const limits = [{ by: 'address', limit: 240, windowSeconds: 60 }] as const;

export const listStores = defineOperation({
  name: 'listStores',
  service,
  method: 'GET',
  path: '/api/v1/orders/stores',
  summary: 'List the stores.',
  description:
    'Returns the stores that are live, in the order of their ids. One that its owner has created is among them once its payment account can take money, or the platform says so. For the next page, send the id of the last store as after. With code, returns the live stores of that public code, listed or not.',
  caller: anyone,
  query: z.object({
    code: z.string().trim().min(1).max(32).optional().describe('The public code of a store, as on its counter card.'),
    limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Rows in a page.'),
    after: StoreId.optional().describe('The id of the last store of the previous page.'),
  }),
  reply: z.object({ stores: z.array(Store) }),
  problems: [],
  replay: 'none',
  limits,
  revalidated: true,
  extension: true,
  example: { query: { code: 'S1' } },
});

export const readMenu = defineOperation({
  name: 'readMenu',
  service,
  method: 'GET',
  path: '/api/v1/orders/stores/{store_id}/menu',
  summary: 'Read the menu of a store.',
  description:
    'Returns the items that the store offers, in the order of its menu. The price that an order is charged is read when it is placed. A request that accepts text/event-stream follows the menu: it gets a change of the store’s switches as it comes, and any other within half a minute.',
  caller: anyone,
  params: ofStore,
  reply: z.object({
    store: Store,
    has_slots: extension(
      z
        .boolean()
        .optional()
        .describe(
          'Whether the store has a collection slot that is open, not over and not within a closure, full or not. An app can keep room for the choice of a time before it has the open slots, of which there are none when all are full.',
        ),
    ),
    ready_times: extension(
      z
        .object({
          from_min: z.int().describe('Minutes within which one of ten orders was ready.'),
          to_min: z.int().describe('Minutes within which nine of ten were ready.'),
          quotes: z.int().describe('How many of them were quoted when they would be ready.'),
          kept_percent: z
            .int()
            .nullable()
            .describe('Of those, how many were ready within the spread that they were quoted. Null with fewer than 20.'),
        })
        .nullish()
        .describe('Of the orders to collect now that were ready in the last 28 days, counted each hour. Null with fewer than 20.'),
    ),
    pace: extension(
      z
        .object({
          ready_from: Instant.nullable().describe(
            'The first quarter of an hour in which the kitchen has room, this one or a later one. Null when today has none.',
          ),
        })
        .nullish()
        .describe('At a store with a pace, when an order for now would be ready. Null for a store without a pace.'),
    ),
    items: z.array(StoreMenuItem),
  }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  limits,
  revalidated: true,
  // Limited to switches: a busy shop has many events, and hundreds of customers who look at its menu.
  live: ({ store }) => ({ storeid: store.id, type: storeSwitched.type }),
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const listOpenSlots = defineOperation({
  name: 'listOpenSlots',
  service,
  method: 'GET',
  path: '/api/v1/orders/stores/{store_id}/slots',
  summary: 'List the collection slots that can be booked.',
  description:
    'Returns slots that are open, not over, not full and not within a closure, the earliest first. For the next page, send the ends_at of the last slot as from and drop slots that you have.',
  caller: anyone,
  params: ofStore,
  query: z.object({
    from: InstantInput.optional().describe('Only slots that end after it. Now when absent.'),
    limit: queryInteger(z.int().min(1).max(200).default(50)).describe('Rows in a page.'),
  }),
  reply: z.object({ slots: z.array(OpenSlot) }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  limits,
  revalidated: true,
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const listMyOrders = defineOperation({
  name: 'listMyOrders',
  service,
  method: 'GET',
  path: '/api/v1/orders/mine',
  summary: 'List the customer’s own orders.',
  description:
    'Newest first, whatever became of them. For the next page, send created_at and id of the last order as before and before_id.',
  caller: customer,
  query: z.object({
    limit: queryInteger(z.int().min(1).max(100).default(20)).describe('Rows in a page.'),
    before: z.string().optional().describe('The created_at of the last order of the previous page.'),
    before_id: OrderId.optional().describe('The id of the same order as before.'),
  }),
  reply: z.object({ orders: z.array(CustomerOrder) }),
  problems: ['INVALID_CURSOR'],
  replay: 'none',
  revalidated: true,
  extension: true,
  example: { query: { limit: 10 } },
});

export const cancelMyOrder = defineOperation({
  name: 'cancelMyOrder',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/orders/{orderId}/cancel',
  summary: 'Cancel one of the customer’s own orders.',
  description:
    'Until the store begins to prepare it, and all that was paid is refunded in the same step. A part of a mixed order is cancelled alone, with its share; the whole order with all its parts. Slot, stock, promo code and voucher are free again. An unpaid order is cancelled with its payment intent. A repeat changes nothing and refunds nothing. If the payment provider does not respond, the order is cancelled and the refund follows.',
  caller: customer,
  params: z.object({ orderId: OrderId }),
  body: ofStore,
  reply: z.object({ order: CustomerOrder }),
  problems: ['ORDER_NOT_FOUND', 'TOO_LATE_TO_CANCEL', 'ORDER_NOT_PAID', 'PAYMENT_MISMATCH', 'PAYMENT_PROVIDER_ERROR'],
  replay: 'header',
  extension: true,
  example: { params: { orderId: someOrder }, body: { store_id: demoStore } },
});

export const getMyOrder = defineOperation({
  name: 'getMyOrder',
  service,
  method: 'GET',
  path: '/api/v1/orders/{orderId}/mine',
  summary: 'Read one of the customer’s own orders.',
  description:
    'A part of a mixed order has an id of its own: it returns the whole order. The order of another customer is ORDER_NOT_FOUND. A request that accepts text/event-stream follows the order: it gets each state as it comes.',
  caller: customer,
  params: z.object({ orderId: OrderId }),
  reply: z.object({ order: CustomerOrder }),
  problems: ['ORDER_NOT_FOUND'],
  replay: 'none',
  revalidated: true,
  live: (_reply, { id }) => ({ customerid: id }),
  extension: true,
  example: { params: { orderId: someOrder } },
});
