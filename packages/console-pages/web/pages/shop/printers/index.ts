export { PrintAgain } from './print-again.tsx';
export { PrinterFaults } from './printer-faults.tsx';
export { useOwnTickets } from './use-own-tickets.ts';
