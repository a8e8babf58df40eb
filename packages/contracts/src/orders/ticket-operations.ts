import { z } from 'zod';
import { Language } from '../directory/snapshot-parts.ts';
import { defineOperation, manager, merchant, staff } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { OrderId, StoreId } from '../vocabulary.ts';
import { Printer, PrinterId } from './printers.ts';

/** Kitchen printers: each printer of a store prints a ticket for each paid order. */

const demoStore = '0190a000-0000-7000-8000-000000000001';
const someOrder = '0190a000-0000-7000-8000-0000000000e1';
const somePrinter = '0190a000-0000-7000-8000-0000000000a1';
const service = 'orders';
const printers = '/api/v1/orders/stores/{store_id}/printers';
const ofStore = z.object({ store_id: StoreId });

export const addPrinter = defineOperation({
  name: 'addPrinter',
  service,
  method: 'POST',
  path: printers,
  summary: 'Add a kitchen printer to a store.',
  description:
    'For printers that speak Star CloudPRNT. Enter the address of the gateway followed by url_path as the server’s address in the printer’s settings. The path is a secret that is shown only here; a repeat with the same Idempotency-Key returns it again. The printer prints what the store accepts from now on. Each printer of a store prints every ticket.',
  caller: manager,
  params: ofStore,
  body: z.object({
    name: typedName(64).describe('What people call it, for example Kitchen.'),
    language: Language.optional().describe('The language of its tickets. English when absent.'),
  }),
  reply: z.object({
    printer: Printer,
    url_path: z.string().describe('The path that the printer asks. Keep it secret: it lets its holder read the store’s orders.'),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  unstored: true,
  extension: true,
  example: { params: { store_id: demoStore }, body: { name: 'Kitchen', language: 'en' } },
});

export const listPrinters = defineOperation({
  name: 'listPrinters',
  service,
  method: 'GET',
  path: printers,
  summary: 'List the kitchen printers of a store.',
  description: 'Returns each printer with its state and its tickets, the first that was added first.',
  caller: merchant,
  params: ofStore,
  reply: z.object({ printers: z.array(Printer) }),
  problems: [],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const removePrinter = defineOperation({
  name: 'removePrinter',
  service,
  method: 'POST',
  path: `${printers}/{printer_id}/remove`,
  summary: 'Remove a kitchen printer from a store.',
  description: 'Its address stops working at once, and its waiting tickets are not printed. A repeat changes nothing.',
  caller: manager,
  params: ofStore.extend({ printer_id: PrinterId }),
  reply: z.object({ printer_id: PrinterId }),
  problems: ['PRINTER_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: { params: { store_id: demoStore, printer_id: somePrinter } },
});

export const printTicket = defineOperation({
  name: 'printTicket',
  service,
  method: 'POST',
  path: '/api/v1/orders/{orderId}/ticket',
  summary: 'Print the ticket of an order again.',
  description:
    'Each printer of the store, or only the one that is named, prints the ticket once more, marked as a copy. Without an Idempotency-Key, each request is a further copy.',
  caller: staff,
  params: z.object({ orderId: OrderId }),
  body: z.object({
    store_id: StoreId,
    printer_id: PrinterId.nullish().describe('Only this printer. Every printer of the store when absent.'),
  }),
  reply: z.object({
    tickets: z.array(z.object({ printer_id: PrinterId, copy: z.int().describe('1 for the first copy.') })),
  }),
  problems: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAID', 'PRINTER_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { orderId: someOrder }, body: { store_id: demoStore } },
});
