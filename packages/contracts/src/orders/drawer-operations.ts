import { z } from 'zod';
import { defineOperation, staff } from '../operation.ts';
import { ChangedBy, Instant, mostPence, Pence, queryInteger, SignedPence, StoreId } from '../vocabulary.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'orders';

const Drawer = z
  .object({
    id: z.string(),
    opened_at: Instant,
    opened_by: ChangedBy,
    closed_at: Instant.nullable().describe('When it was counted. Null while it is open.'),
    closed_by: ChangedBy.nullable().describe('Who counted it. Null while it is open.'),
    float_pence: Pence.describe('The cash that it was opened with.'),
    cash_taken_pence: Pence.describe('What sales put into it, without the change.'),
    cash_refunded_pence: Pence.describe('What refunds took out of it.'),
    paid_out_pence: Pence.describe('What was taken out of it for something else.'),
    expected_pence: SignedPence.describe('What should be in it: the float and what was taken, less what was refunded and paid out.'),
    counted_pence: Pence.nullable().describe('What was counted. Null while it is open.'),
    difference_pence: SignedPence.nullable().describe('What was counted less what was expected. Null while it is open.'),
    note: z.string().nullable().describe('What the one who counted it wrote. Null for nothing.'),
    pay_outs: z
      .array(z.object({ at: Instant, amount_pence: Pence, reason: z.string(), by_name: z.string().nullable() }))
      .describe('The first one first.'),
  })
  .meta({ id: 'Drawer', description: 'The cash drawer of a store, from its opening to its count.' });

export const openDrawer = defineOperation({
  name: 'openDrawer',
  service,
  method: 'POST',
  path: '/api/v1/orders/drawers',
  summary: 'Open the cash drawer of a store.',
  description: 'A store has one open drawer at most. Cash that is taken or refunded while none is open is in none.',
  caller: staff,
  body: z.object({ store_id: StoreId, float_pence: Pence.max(mostPence).describe('The cash in it.') }),
  reply: z.object({ drawer: Drawer }),
  problems: ['DRAWER_OPEN'],
  replay: 'header',
  extension: true,
  example: { body: { store_id: demoStore, float_pence: 10_000 } },
});

export const payOutOfDrawer = defineOperation({
  name: 'payOutOfDrawer',
  service,
  method: 'POST',
  path: '/api/v1/orders/drawers/pay-outs',
  summary: 'Record cash that is taken out of the drawer.',
  description: 'For what is neither change nor a refund: milk, a courier, cash that goes to the bank.',
  caller: staff,
  body: z.object({
    store_id: StoreId,
    amount_pence: z.int().min(1).max(mostPence).describe('What is taken out.'),
    reason: z.string().trim().min(1).max(140).describe('What it is for.'),
  }),
  reply: z.object({ drawer: Drawer }),
  problems: ['DRAWER_NOT_OPEN'],
  replay: 'header',
  extension: true,
  example: { body: { store_id: demoStore, amount_pence: 450, reason: 'Milk' } },
});

export const closeDrawer = defineOperation({
  name: 'closeDrawer',
  service,
  method: 'POST',
  path: '/api/v1/orders/drawers/close',
  summary: 'Count the cash drawer and close it.',
  description:
    'Waits for sales and refunds under way, so that all the cash of the drawer is in what is expected. A difference stays with the drawer and the name of who counted it.',
  caller: staff,
  body: z.object({
    store_id: StoreId,
    counted_pence: Pence.max(mostPence).describe(
      'The cash that was counted, the float included. One that holds more, or should, is counted once a part of it is taken out.',
    ),
    note: z.string().trim().max(280).nullish().describe('Kept with the drawer.'),
  }),
  reply: z.object({ drawer: Drawer }),
  problems: ['DRAWER_NOT_OPEN'],
  replay: 'header',
  extension: true,
  example: { body: { store_id: demoStore, counted_pence: 9_550 } },
});

export const listDrawers = defineOperation({
  name: 'listDrawers',
  service,
  method: 'GET',
  path: '/api/v1/orders/drawers',
  summary: 'List the cash drawers of a store.',
  description: 'The one opened last first, with what is expected in it by now. For the next page, send the id of the last one as before.',
  caller: staff,
  query: z.object({
    store_id: StoreId,
    limit: queryInteger(z.int().min(1).max(100).default(20)).describe('Rows in a page.'),
    before: z.guid().toLowerCase().optional().describe('The id of the last drawer of the page before.'),
  }),
  reply: z.object({ drawers: z.array(Drawer) }),
  problems: [],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});
