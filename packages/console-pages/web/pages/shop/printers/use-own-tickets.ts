import { useEffect } from 'react';
import { isKeptOn } from '../../../components/index.ts';
import { type Order, useZone } from '../operations.ts';
import { switchName, takeTicket } from './own-tickets.ts';
import { printOnPaper, ticketLines } from './paper-ticket.ts';

export function useOwnTickets(orders: readonly Order[]): void {
  const zone = useZone();
  useEffect(() => {
    if (zone && isKeptOn(switchName) && orders.length > 0) void printAll(orders, zone);
  }, [orders, zone]);
}

async function printAll(orders: readonly Order[], zone: string): Promise<void> {
  for (let order = await takeTicket(orders); order; order = await takeTicket(orders)) await printOnPaper(ticketLines(order, zone));
}
