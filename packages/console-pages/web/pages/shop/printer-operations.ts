import type { components } from '@corner/client';
import { pathTo, type Reply } from '../../logic/platform.ts';
import { send } from './send.ts';

export type Printer = components['schemas']['Printer'];
export type AddedPrinter = Reply<'POST /api/v1/orders/stores/{store_id}/printers'>;
export type PrinterLanguage = Printer['language'];

export const printersPath = (store_id: string) => pathTo('/api/v1/orders/stores/{store_id}/printers', { store_id });

export const addPrinter = (store_id: string, name: string, language: PrinterLanguage, key: string) =>
  send('POST /api/v1/orders/stores/{store_id}/printers', { of: store_id, at: { store_id }, body: { name, language }, key });

export const removePrinter = (store_id: string, printer_id: string, key: string) =>
  send('POST /api/v1/orders/stores/{store_id}/printers/{printer_id}/remove', { of: printer_id, at: { store_id, printer_id }, key });

export const printTicket = (store_id: string, orderId: string) =>
  send('POST /api/v1/orders/{orderId}/ticket', { of: orderId, at: { orderId }, body: { store_id } });
