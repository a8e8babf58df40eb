import type { Mutant } from './of-callers.ts';

const orders = 'services/orders/src';
const loyalty = 'services/loyalty/src';

/** Faults of what is sold at the counter: its tenders, its drawer, whose it is, and its VAT. */
export const mutantsOfCounter: readonly Mutant[] = [
  {
    name: 'counter: a sale to someone who is not known earns stamps',
    file: `${loyalty}/orders/entry-points.ts`,
    find: 'orders.filter(({ task }) => !task.without_customer),',
    plant: 'orders,',
    tests: ['loyalty/src/orders/sales-without-customer.test'],
  },
  {
    name: 'counter: a sale to someone who is not known is an interaction of a customer',
    file: 'services/notifications/src/messages/transactions/record-events.ts',
    find: 'without_customer ? null : {',
    plant: 'false ? null : {',
    tests: ['notifications/src/messages/event-handlers.test'],
  },
  {
    name: 'counter: the database takes tenders that do not sum to the total',
    file: 'services/orders/migrations/0001-orders.sql',
    find: 'if charged <> total then',
    plant: 'if charged < 0 then',
    tests: ['orders/src/counter/sell-at-counter.test'],
  },
  {
    name: 'counter: a refund does not go back by the tenders it came from',
    file: `${orders}/order/rules/tenders.ts`,
    find: 'const part = Math.min(rest, pence);',
    plant: 'const part = rest;',
    tests: ['orders/src/counter/pay-by-tenders.test'],
  },
  {
    name: 'counter: a sale that is paid can be paid again',
    file: `${orders}/counter/transactions/take-tenders.ts`,
    find: "throw new Problem('ORDER_ALREADY_PAID');",
    plant: 'return;',
    tests: ['orders/src/counter/pay-by-tenders.test'],
  },
  {
    name: 'counter: cash is compared with the provider’s balance',
    file: `${orders}/money/tables.ts`,
    find: "and kind <> 'dispute_fee' and tender is null",
    plant: "and kind <> 'dispute_fee'",
    tests: ['orders/src/counter/pay-by-tenders.test'],
  },
  {
    name: 'counter: an order that two tenders paid is two orders of the report',
    file: `${orders}/reports/tables/open-days.ts`,
    find: 'select distinct l.order_id, l.at',
    plant: 'select l.order_id, l.at',
    tests: ['orders/src/reports/reports.test'],
  },
  {
    name: 'counter: what a drawer should hold is with the cash that was paid out',
    file: `${orders}/counter/rules.ts`,
    find: ' - cash_refunded_pence - paid_out_pence;',
    plant: ' - cash_refunded_pence;',
    tests: ['orders/src/counter/drawers.test'],
  },
  {
    name: 'counter: a repeated close closes the drawer that was opened since',
    file: `${orders}/counter/transactions/drawers.ts`,
    find: 'if (closed !== null) return',
    plant: 'if (closed === key) return',
    tests: ['orders/src/counter/drawers.test'],
  },
  {
    name: 'counter: a tap takes a sale that is another customer’s',
    file: `${orders}/counter/tables/sales.ts`,
    find: 'and o.without_customer and o.payment_status',
    plant: 'and o.payment_status',
    tests: ['orders/src/counter/bind-sale.test'],
  },
  {
    name: 'counter: a tap and its sale earn a stamp each',
    file: `${loyalty}/orders/rules.ts`,
    find: 'earned - (order.hasTap ? 1 : 0)',
    plant: 'earned',
    tests: ['loyalty/src/orders/sales-of-taps.test'],
  },
  {
    name: 'counter: a tap counts from its redemption',
    file: `${loyalty}/codes-and-taps/transactions/redeem-stamp-code.ts`,
    find: 'card.events.addTap(id, used.tapped_at)',
    plant: 'card.events.addTap(id, tx.now.toISOString())',
    tests: ['loyalty/src/orders/sales-of-taps.test'],
  },
  {
    name: 'counter: VAT is that of eating in, also of what is taken away',
    file: `${orders}/checkout/rules/vat.ts`,
    find: "(eatIn ? 'eat_in' : 'away')",
    plant: "(eatIn ? 'eat_in' : 'eat_in')",
    tests: ['orders/src/counter/eat-in.test'],
  },
  {
    name: 'counter: a line of several rates is wholly of the rate of its item',
    file: `${orders}/receipts/rules.ts`,
    find: 'of byRateOf(lines))',
    plant: 'of lines)',
    tests: ['orders/src/counter/eat-in.test'],
  },
];
