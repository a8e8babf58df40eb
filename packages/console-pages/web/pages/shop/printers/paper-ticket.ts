import { instant } from '../../../logic/format.ts';
import type { Order } from '../operations.ts';
import { dueAt } from '../order-columns.ts';

export interface TicketLine {
  readonly text: string;
  readonly isLarge: boolean;
}

export function ticketLines(order: Order, zone: string | undefined): readonly TicketLine[] {
  const { fulfilment_status, status, order_number, table_number, collection_code, items, customer_name } = order;
  const isCancelled = fulfilment_status === 'cancelled' || status === 'cancelled' || status === 'refunded';
  const due = dueAt(order);
  return [
    ...(isCancelled ? [large('*** CANCELLED ***')] : []),
    large(order_number),
    ...(table_number ? [large(`Table ${table_number}`)] : []),
    ...(collection_code ? [large(`Code ${collection_code}`)] : []),
    ...(due ? [normal(`Due ${instant(due, 'day and time', 'en-GB', zone)}`)] : []),
    normal('—'),
    ...items.flatMap(({ quantity, name, choices, note }) => [
      normal(`${quantity} × ${name}`),
      ...choices.map((choice) => normal(`+ ${choice.name}`)),
      ...(note === null ? [] : [normal(`! ${note}`)]),
    ]),
    normal('—'),
    ...(customer_name ? [normal(customer_name)] : []),
    normal(isCancelled ? 'NOT TO BE MADE' : 'PAID'),
  ];
}

const large = (text: string): TicketLine => ({ text, isLarge: true });
const normal = (text: string): TicketLine => ({ text, isLarge: false });

const widthMm = 80;
const pixelsPerMm = 96 / 25.4;
const footMm = 6;
const shortestMm = 50;

let printing: Promise<unknown> = Promise.resolve();

export function printOnPaper(lines: readonly TicketLine[]): Promise<void> {
  const printed = printing.then(() => printOne(lines));
  printing = printed;
  return printed;
}

async function printOne(lines: readonly TicketLine[]): Promise<void> {
  const ticket = document.createElement('div');
  ticket.className = 'ticket';
  for (const { text, isLarge } of lines) {
    const line = document.createElement('p');
    line.textContent = text === '—' ? '' : text;
    line.className = text === '—' ? 'ticket-rule' : isLarge ? 'ticket-large' : '';
    ticket.append(line);
  }
  document.body.append(ticket);
  const sheet = new CSSStyleSheet();
  const lengthMm = Math.max(shortestMm, Math.ceil(ticket.getBoundingClientRect().height / pixelsPerMm) + footMm);
  sheet.replaceSync(`@page { size: ${widthMm}mm ${lengthMm}mm; margin: 0 }`);
  document.adoptedStyleSheets.push(sheet);
  try {
    await new Promise<void>((resolve) => {
      addEventListener('afterprint', () => resolve(), { once: true });
      print();
    });
  } finally {
    ticket.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  }
}
