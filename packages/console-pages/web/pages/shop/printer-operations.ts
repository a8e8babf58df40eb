import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { send } from './send.ts';

export type Printer = z.output<typeof contracts.Printer>;
export type PrintersReply = z.output<typeof contracts.orders.listPrinters.reply>;
export type AddedPrinter = z.output<typeof contracts.orders.addPrinter.reply>;
export type PrinterLanguage = Printer['language'];

export const printersPath = (store_id: string): string => `/api/v1/orders/stores/${encodeURIComponent(store_id)}/printers`;

export const addPrinter = (store_id: string, name: string, language: PrinterLanguage, key: string) =>
  send<AddedPrinter>({ of: store_id, path: printersPath(store_id), body: { name, language }, key });

export const removePrinter = (store_id: string, printerId: string, key: string) =>
  send<unknown>({ of: printerId, path: `${printersPath(store_id)}/${encodeURIComponent(printerId)}/remove`, body: {}, key });

/** Prints the ticket of an order once more, at every printer of the store. */
export const printTicket = (store_id: string, orderId: string) =>
  send<{ tickets: readonly { printer_id: string; copy: number }[] }>({
    of: orderId,
    path: `/api/v1/orders/${encodeURIComponent(orderId)}/ticket`,
    body: { store_id },
  });
