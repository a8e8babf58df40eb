import { useState } from 'react';
import { ActionButton, Notice } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { type Order, useZone } from '../operations.ts';
import { printTicket } from '../printer-operations.ts';
import { refusalText } from '../refusal-text.ts';
import { printOnPaper, ticketLines } from './paper-ticket.ts';
import { usePrinters } from './printer-faults.tsx';

export function PrintAgain({ order, storeId }: { readonly order: Order; readonly storeId: string }) {
  const zone = useZone();
  const printers = usePrinters();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const again = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const { tickets } = await printTicket(storeId, order.id);
      announce(`${plural(tickets.length, 'printer')} will print the ticket again.`);
    } catch (error) {
      setRefused(refusalText(error, 'The ticket'));
    }
    setBusy(false);
  };
  return (
    <>
      {printers.length > 0 && (
        <ActionButton busy={busy} onClick={() => void again()}>
          Print again
        </ActionButton>
      )}
      <button type="button" onClick={() => void printOnPaper(ticketLines(order, zone))}>
        Print here
      </button>
      <Notice text={refused} />
    </>
  );
}
