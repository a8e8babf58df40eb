import { z } from 'zod';
import { defineOperation, orPartner, staff } from '../operation.ts';
import { InstantInput, MenuItemId, pageOfLog, StoreId } from '../vocabulary.ts';
import { Store } from './shapes.ts';
import { PaceQuarter, StoreLogEntry, StorePause, SwitchedItem, soldOutSwitches } from './switches.ts';

/** Switches that staff change during the day. The directory's snapshots do not change them. */

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'orders';
const ofStore = z.object({ store_id: StoreId });

export const readSwitches = defineOperation({
  name: 'readSwitches',
  service,
  method: 'GET',
  path: '/api/v1/orders/stores/{store_id}/switches',
  summary: 'Read the switches of a store.',
  description:
    'Returns the pause and every item with its switches: the items that the menu offers first, in its order. A request that accepts text/event-stream follows them.',
  caller: orPartner(staff, 'menu:read'),
  params: ofStore,
  reply: z.object({
    store: Store,
    pause: StorePause.nullable().describe('Null when staff did not pause the store. The directory may have; the store says so.'),
    items: z.array(SwitchedItem),
  }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  revalidated: true,
  live: ({ store }) => ({ storeid: store.id }),
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const switchMenuItem = defineOperation({
  name: 'switchMenuItem',
  service,
  method: 'PATCH',
  path: '/api/v1/orders/stores/{store_id}/menu/{menu_item_id}',
  summary: 'Mark an item as sold out, or set how many are left.',
  description:
    'An item that is marked as sold out is shown so in readMenu, and createOrder refuses it with OUT_OF_STOCK; orders that were placed before stay. Setting what is left counts from now on: each order takes from it, and an order that is cancelled gives back. The two switches do not change each other: an item of which none are left stays sold out without the mark. A field that is absent changes nothing, and a repeat changes nothing.',
  caller: orPartner(staff, 'menu:switch'),
  params: ofStore.extend({
    menu_item_id: MenuItemId.describe('An item of the store’s menu, or a choice, which is switched in every option that has it.'),
  }),
  body: z
    .object({
      sold_out: z
        .enum(soldOutSwitches)
        .optional()
        .describe(
          '`until_closing` marks it until the store closes, or after closing time until the end of the day; `until_changed` until the next change; `no` ends the mark.',
        ),
      left: z
        .int()
        .min(0)
        .max(100_000)
        .nullish()
        .describe('Units that orders can take from now on. Null when the stock of the directory’s menu applies again.'),
    })
    .refine(({ sold_out, left }) => sold_out !== undefined || left !== undefined, {
      path: ['sold_out'],
      error: 'must be sent, or left',
    }),
  reply: z.object({ item: SwitchedItem }),
  problems: ['MENU_ITEM_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { store_id: demoStore, menu_item_id: 'croissant' }, body: { sold_out: 'until_closing' } },
});

export const pauseStore = defineOperation({
  name: 'pauseStore',
  service,
  method: 'POST',
  path: '/api/v1/orders/stores/{store_id}/pause',
  summary: 'Pause the orders of a store, or take them again.',
  description:
    'While a store is paused, createOrder is refused with STORE_NOT_ACCEPTING_ORDERS; orders that were placed before are prepared as always. The pause ends by itself. A pause of the directory is not touched: the store in the reply says whether orders are taken. A repeat without minutes changes nothing; with minutes, it counts them anew.',
  caller: orPartner(staff, 'menu:switch'),
  params: ofStore,
  body: z.object({
    paused: z.boolean().describe('Whether the store is paused.'),
    minutes: z
      .int()
      .min(1)
      .max(240)
      .nullish()
      .describe('How long from now. Until staff take orders again when null or absent. Ignored when the pause is ended.'),
  }),
  reply: z.object({
    store: Store,
    pause: StorePause.nullable().describe('Null when staff do not pause the store.'),
  }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { store_id: demoStore }, body: { paused: true, minutes: 30 } },
});

export const readPace = defineOperation({
  name: 'readPace',
  service,
  method: 'GET',
  path: '/api/v1/orders/stores/{store_id}/pace',
  summary: 'Read how full the next two hours of the kitchen are.',
  description: 'Returns this quarter of an hour and the seven after it, open or not; none for a store without a pace.',
  caller: orPartner(staff, 'menu:read'),
  params: ofStore,
  reply: z.object({
    unit: z.enum(['items', 'minutes']).nullable().describe('What is counted. Null for a store without a pace.'),
    quarters: z.array(PaceQuarter),
  }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  revalidated: true,
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const setPace = defineOperation({
  name: 'setPace',
  service,
  method: 'PATCH',
  path: '/api/v1/orders/stores/{store_id}/pace',
  summary: 'Narrow or widen a quarter of an hour of the kitchen.',
  description:
    'Orders that were placed before keep their place, also where they take more than the new capacity. The change is in the log of the store. A repeat changes nothing. A store without a pace has no quarters: VALIDATION_FAILED.',
  caller: orPartner(staff, 'menu:switch'),
  params: ofStore,
  body: z.object({
    starts_at: InstantInput.describe('The start of a quarter of an hour that readPace returned.'),
    capacity: z.int().min(0).max(1000).nullish().describe('What the kitchen makes in it. Absent for the pace of the store again.'),
  }),
  reply: z.object({ quarter: PaceQuarter }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { store_id: demoStore }, body: { starts_at: '2026-11-02T12:30:00Z', capacity: 4 } },
});

export const listStoreLog = defineOperation({
  name: 'listStoreLog',
  service,
  method: 'GET',
  path: '/api/v1/orders/stores/{store_id}/log',
  summary: 'Read the log of a store’s switches and of its drawer.',
  description:
    'Newest first: each change of a switch, and each opening, pay-out and count of the drawer; when, and by whom. For the next page, send the id of the last row as before.',
  caller: staff,
  params: ofStore,
  query: z.object({
    ...pageOfLog,
  }),
  reply: z.object({ entries: z.array(StoreLogEntry) }),
  problems: ['STORE_NOT_FOUND', 'INVALID_CURSOR'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});
