import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { printerToken, tokenHash } from './crypto.ts';
import { printerState } from './rules/printing.ts';
import { listPrinters as findPrinters, markPrinterRemoved, type PrinterRow } from './tables/printers.ts';
import { addPrinter as add, printAgain, printTimesAt } from './transactions.ts';

/** Adds a kitchen printer. Its token is derived from its id, so that a repeat returns the same address although no token is stored. */
export const addPrinter: Operation<typeof orders.addPrinter, Context> = async ({ caller, params, body, idempotencyKey }, context) => {
  const { database, deviceSecret } = context;
  const id = context.newId();
  const printer = await database.transaction((tx) =>
    add(tx, {
      id,
      storeId: params.store_id,
      name: body.name,
      language: body.language ?? 'en',
      tokenHash: tokenHash(deviceSecret, printerToken(deviceSecret, id)),
      requestKey: idempotencyKey === undefined ? null : `${caller.id} ${idempotencyKey}`,
    }),
  );
  return { printer: printerView(printer, context.now()), url_path: `/printers/${printerToken(deviceSecret, printer.id)}` };
};

export const listPrinters: Operation<typeof orders.listPrinters, Context> = async ({ params }, { database, now }) => {
  const printers = await findPrinters(database, params.store_id, printTimesAt(now()));
  return { printers: printers.map((printer) => printerView(printer, now())) };
};

/** Removes a printer. The same printer again changes nothing. */
export const removePrinter: Operation<typeof orders.removePrinter, Context> = async ({ params }, { database, now }) => {
  const { store_id: storeId, printer_id } = params;
  if (!(await markPrinterRemoved(database, storeId, printer_id, now()))) throw new Problem('PRINTER_NOT_FOUND');
  return { printer_id };
};

/** Prints an order's ticket again, as a copy, on each printer of the store or on the named one. */
export const printTicket: Operation<typeof orders.printTicket, Context> = async ({ caller, params, body }, { database }) => {
  const request = { storeId: body.store_id, orderId: params.orderId, printerId: body.printer_id ?? null, actor: caller.name };
  return { tickets: [...(await database.transaction((tx) => printAgain(tx, request)))] };
};

const printerView = (printer: PrinterRow, now: Date) => {
  const { status_code, failed_code, ...fields } = printer;
  return { ...fields, ...printerState(printer, now) };
};
