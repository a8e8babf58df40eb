export { type PrintedTicket, type PrinterOptions, type SimulatedPrinter, simulatePrinter } from './simulate-printer.ts';
