import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { orderNotPaid } from '../order/rules/status.ts';
import { appendLog } from '../order/tables/log.ts';
import { findOrder } from '../order/tables/orders.ts';
import { countedHours, isReady, mostFailures, printHours } from './rules/printing.ts';
import { insertPrinter, listPrinters, lockPrinters, type NewPrinter, notePoll, type PrinterRow } from './tables/printers.ts';
import { insertCopies, makeCancelledTickets, makeTickets, type Offer, offerTicket, type PrintTimes } from './tables/tickets.ts';

const hourMs = 3_600_000;

export const printTimesAt = (now: Date): PrintTimes => ({
  now: now.toISOString(),
  oldest: new Date(now.getTime() - printHours * hourMs).toISOString(),
  counted: new Date(now.getTime() - countedHours * hourMs).toISOString(),
  printSeconds: printHours * 3600,
  mostFailures,
});

/** Adds a printer to a store, and returns it. A repeat under the same key returns the first one. Throws STORE_NOT_FOUND. */
export async function addPrinter(tx: Transaction, printer: NewPrinter): Promise<PrinterRow> {
  const id = await insertPrinter(tx, printer);
  const [added] = id === null ? [] : await listPrinters(tx, printer.storeId, printTimesAt(tx.now), id);
  if (!added) throw new Problem('STORE_NOT_FOUND');
  return added;
}

/**
 * Notes a printer's reported status, and returns its next job: `job` is null when there is none, or it cannot print. Tickets are made
 * here, so that paying an order writes nothing for a printer. Null when no printer has the token.
 */
export async function poll(
  tx: Transaction,
  { hash, code, isPrinting }: { readonly hash: string; readonly code: string | null; readonly isPrinting: boolean },
): Promise<{ readonly job: Offer | null } | null> {
  const printer = await notePoll(tx, hash, code);
  if (!printer) return null;
  if (isPrinting || code === null || !isReady(code)) return { job: null };
  const times = printTimesAt(tx.now);
  await makeCancelledTickets(tx, printer, times);
  await makeTickets(tx, printer, times);
  return { job: await offerTicket(tx, printer, tx.newId(), times) };
}

export interface CopyRequest {
  readonly storeId: string;
  readonly orderId: string;
  readonly printerId: string | null;
  readonly actor: string | null;
}

export async function printAgain(tx: Transaction, { storeId, orderId, printerId, actor }: CopyRequest) {
  const order = await findOrder(tx, storeId, orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  if (order.payment_status !== 'paid') throw orderNotPaid(order);
  const printerIds = await lockPrinters(tx, storeId, printerId);
  if (printerIds.length === 0) throw new Problem('PRINTER_NOT_FOUND');
  const copies = await insertCopies(tx, { storeId, orderId, printerIds }, printTimesAt(tx.now));
  await appendLog(tx, { storeId, orderId, kind: 'ticket_copied', title: 'The ticket is printed again', actor });
  return copies;
}
