import { describe, expect, test } from '@jest/globals';
import type { Order } from '../operations.ts';
import { toPrint, withPrinted } from './own-tickets.ts';
import { ticketLines } from './paper-ticket.ts';

const order = (fields: Partial<Order> = {}): Order =>
  ({
    id: 'a',
    order_number: 'S1-1',
    status: 'paid',
    fulfilment_status: 'accepted',
    collection_code: 'KRPQ',
    table_number: null,
    requested_collection_at: '2026-05-01T12:10:00Z',
    revised_ready_at: null,
    customer_name: 'Ana',
    created_at: '2026-05-01T11:59:00Z',
    accepted_at: '2026-05-01T12:00:00Z',
    items: [{ menu_item_id: 'flat-white', name: 'Flat white', quantity: 2, choices: [], note: null }],
    ...fields,
  }) as Order;

const noon = Date.parse('2026-05-01T12:00:00Z');
const idsOf = (orders: readonly Order[]) => orders.map(({ id }) => id);

describe('the tickets of this browser', () => {
  const orders = [
    order({ id: 'b', accepted_at: '2026-05-01T12:05:00Z' }),
    order(),
    order({ id: 'before', accepted_at: '2026-05-01T11:59:59Z' }),
  ];

  test('are those of orders that came since the switch was turned on, the oldest first, each once', () => {
    const printed = { since: noon, ids: [] };
    expect(idsOf(toPrint(orders, printed, noon + 600_000))).toEqual(['a', 'b']);
    expect(idsOf(toPrint(orders, withPrinted(printed, 'a'), noon + 600_000))).toEqual(['b']);
  });

  test('are not those of orders that are two hours old', () => {
    expect(idsOf(toPrint(orders, { since: 0, ids: [] }, noon + 2 * 3_600_000 + 1))).toEqual(['b']);
  });

  test('keep the last 500 ids', () => {
    const full = Array.from({ length: 600 }, (_, index) => String(index)).reduce(withPrinted, { since: 0, ids: [] });
    expect([full.ids.length, full.ids[0], full.ids.at(-1)]).toEqual([500, '599', '100']);
  });
});

describe('a ticket', () => {
  const textOf = (fields: Partial<Order>) => ticketLines(order(fields), 'Europe/London').map(({ text }) => text);

  test('has the number, the code, when it is due, the lines and the name', () => {
    expect(textOf({})).toEqual(['S1-1', 'Code KRPQ', 'Due 1 May, 13:10', '—', '2 × Flat white', '—', 'Ana', 'PAID']);
  });

  test('has what was chosen and noted below each item', () => {
    const items = [{ name: 'Latte', quantity: 1, choices: [{ name: 'Oat milk' }], note: 'no lid' }] as unknown as Order['items'];
    expect(textOf({ items }).slice(4, 7)).toEqual(['1 × Latte', '+ Oat milk', '! no lid']);
  });

  test('has the table, and says of a cancelled order that it is not to be made', () => {
    const lines = textOf({
      table_number: '7',
      collection_code: null,
      requested_collection_at: null,
      customer_name: null,
      status: 'refunded',
    });
    expect(lines).toEqual(['*** CANCELLED ***', 'S1-1', 'Table 7', '—', '2 × Flat white', '—', 'NOT TO BE MADE']);
  });
});
