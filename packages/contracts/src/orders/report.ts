import { z } from 'zod';
import type { Field, Table } from '../csv.ts';
import { rulesOfCurrency } from '../currencies.ts';
import { Currency, Instant, Pence, SignedPence } from '../vocabulary.ts';
import { orderChannels } from './shapes.ts';
import { tenderKinds } from './tenders.ts';

const VatOfRate = z.object({
  rate_bps: z.int().nullable().describe('The rate in hundredths of a percent: 2000 is 20 %. Null for items that name none.'),
  net_pence: SignedPence,
  vat_pence: SignedPence,
  gross_pence: SignedPence.describe('net_pence plus vat_pence.'),
});

const figures = {
  orders: z.object({
    paid: z.int().describe('Orders that were paid on the day. They are open, fulfilled or cancelled.'),
    open: z.int().describe('Those that were still to be made or handed over when the day ended, or are now.'),
    fulfilled: z.int().describe('Those that were fulfilled by the end of the day.'),
    cancelled: z.int().describe('Those that were cancelled by the end of the day.'),
  }),
  gross_pence: SignedPence.describe('What customers paid, tips included.'),
  items_pence: Pence.describe('What was sold, before discounts and without tips.'),
  takings: z
    .array(
      z.object({
        channel: z.enum(orderChannels),
        tender: z.enum(tenderKinds),
        payments: z.int(),
        amount_pence: SignedPence.describe('What was paid. All of them sum to gross_pence.'),
        refunded_pence: SignedPence.describe(
          'What customers got back, less refunds that failed afterwards. All sum to refunds.amount_pence.',
        ),
      }),
    )
    .describe('What customers paid and got back, by how the orders were placed and what they were paid with.'),
  discounts: z.object({
    amount_pence: Pence.describe('All discounts: items_pence less these, plus tips.amount_pence, is gross_pence.'),
    promos_pence: Pence.describe('Discounts by promo codes.'),
    promo_orders: z.int().describe('Orders with a promo code.'),
    vouchers_pence: Pence.describe('Discounts by vouchers.'),
    voucher_orders: z.int().describe('Orders with a voucher.'),
  }),
  vat: z
    .array(VatOfRate)
    .describe(
      'Sales of the day by VAT rate, less the credit notes of the day, highest rate first. As invoices round it: once an order and rate.',
    ),
  tips: z.object({
    orders: z.int().describe('Orders with a tip.'),
    amount_pence: Pence.describe('Tips that were paid.'),
    refunded_pence: SignedPence.describe('What refunds took back of tips. listTips has each.'),
  }),
  refunds: z.object({
    count: z.int().describe('Refunds that were made on the day, whenever their orders were paid.'),
    amount_pence: SignedPence.describe('What customers got back, less refunds that failed afterwards.'),
    store_pence: SignedPence.describe('The part that the store bears, as net_pence has it.'),
  }),
  fees: z.object({
    platform_pence: SignedPence.describe('The platform’s fees, less those that came back with refunds.'),
    provider_pence: SignedPence.nullable().describe(
      'What the payment provider keeps of the day’s payments, as far as it has said. It is the platform’s to pay, and so not part of net_pence. Null when nothing is known of any payment; with unknown_payments above 0 it is not all.',
    ),
    unknown_payments: z.int().describe('Payments whose fee the provider has not said yet.'),
  }),
  disputes: z.object({
    opened: z.int().describe('Disputes for which the bank withdrew money on the day.'),
    withdrawn_pence: SignedPence.describe('What banks withdrew.'),
    returned_pence: SignedPence.describe('What came back of disputes that were won.'),
    provider_fees_pence: SignedPence.describe('What the provider keeps for disputes. The platform pays it.'),
    store_pence: SignedPence.describe('What was taken from the store for disputes, less what it got back.'),
  }),
  payouts: z.object({
    count: z.int().describe('Payouts that arrive at the bank on the day, or did.'),
    amount_pence: SignedPence.describe('Their sum, without those that failed or were cancelled. They pay out other days’ money.'),
  }),
  net_pence: SignedPence.describe(
    'What the store keeps: gross_pence less refunds.store_pence, fees.platform_pence and disputes.store_pence.',
  ),
};

export const ReportFigures = z.object(figures);
export type ReportFigures = z.output<typeof ReportFigures>;

export const ReportItem = z.object({
  name: z.string().describe('The item’s name on the orders.'),
  quantity: z.int(),
  amount_pence: Pence.describe('With its choices, before discounts.'),
});
export type ReportItem = z.output<typeof ReportItem>;

export const Report = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  currency: Currency,
  stores: z.array(z.object({ id: z.string(), name: z.string(), time_zone: z.string() })).describe('The stores that it is of.'),
  days: z
    .array(
      z.object({
        date: z.iso.date().describe('The day in each store’s time zone.'),
        closed: z.boolean().describe('Whether it is summed for good. A day is closed an hour or two after its end.'),
        ...figures,
      }),
    )
    .describe('Every day of the range, oldest first.'),
  total: ReportFigures.describe('The sums of the days.'),
  items: z.array(ReportItem).describe('What was sold in the range, the greatest amount first. What refunds took back is not taken off.'),
  other_items: z
    .object({ names: z.int(), quantity: z.int(), amount_pence: Pence })
    .describe('The items beyond `items`, summed. All 0 when there are none.'),
  provider_balance: z
    .object({
      compared_until: Instant.nullable().describe(
        'Up to when the ledger was compared with the provider’s balance. Null before the first time.',
      ),
      agrees: z.boolean().nullable().describe('Whether all of it agreed then. Null before the first comparison.'),
      agreed_at: Instant.nullable().describe(
        'When it agreed last: compared_until, or when the oldest difference that is still open was found. Null before the first comparison.',
      ),
      differences: z.int().describe('Differences that are open, whatever day they are of.'),
      difference_pence: SignedPence.describe('What the provider has more than the ledger, by those differences.'),
    })
    .describe('The comparison with the payment provider’s balance, which is made every hour.'),
});
export type Report = z.output<typeof Report>;

export const Tip = z.object({
  at: Instant.describe('When the order was paid, or refunded.'),
  date: z.iso.date().describe('The day that it belongs to.'),
  store_id: z.string(),
  order_id: z.string(),
  order_number: z.string(),
  tip_pence: SignedPence.describe('The tip. Negative for what a refund took back of one.'),
});
export type Tip = z.output<typeof Tip>;

export const Tips = z.object({
  currency: Currency,
  tips: z.array(Tip).describe('Oldest first.'),
  next: z.string().nullable().describe('Where the next page begins: send it as after. Null on the last page.'),
});
export type Tips = z.output<typeof Tips>;

/** A row for each day, and one with the total. Money that leaves the store is below zero. */
export function tableOfReport({ from, to, currency, days, total }: Report): Table {
  const { decimals } = rulesOfCurrency(currency);
  const rates = total.vat.map(({ rate_bps }) => rate_bps);
  const names = rates.map((rate) => (rate === null ? 'without_vat' : `vat_${rate / 100}%`));
  const amount = (minor: number): Field => ({ minor, decimals });
  const row = (date: string, f: ReportFigures): Field[] => [
    date,
    currency,
    f.orders.paid,
    f.orders.fulfilled,
    f.orders.cancelled,
    f.orders.open,
    amount(f.items_pence),
    amount(-f.discounts.promos_pence),
    amount(-f.discounts.vouchers_pence),
    amount(f.tips.amount_pence),
    amount(f.gross_pence),
    f.refunds.count,
    amount(-f.refunds.store_pence),
    amount(-f.tips.refunded_pence),
    amount(-f.fees.platform_pence),
    f.disputes.opened,
    amount(-f.disputes.store_pence),
    amount(f.net_pence),
    f.fees.provider_pence === null ? 'unknown' : amount(-f.fees.provider_pence),
    f.fees.unknown_payments,
    f.payouts.count,
    amount(f.payouts.amount_pence),
    ...rates.flatMap((rate) => {
      const of = f.vat.find(({ rate_bps }) => rate_bps === rate);
      return [amount(of?.net_pence ?? 0), amount(of?.vat_pence ?? 0), amount(of?.gross_pence ?? 0)];
    }),
  ];
  const head = [
    'date',
    'currency',
    'orders',
    'fulfilled',
    'cancelled',
    'open',
    'items',
    'promos',
    'vouchers',
    'tips',
    'taken',
    'refund_count',
    'refunds',
    'tips_refunded',
    'platform_fees',
    'disputes_opened',
    'disputes',
    'net',
    'provider_fees',
    'payments_with_unknown_fee',
    'payouts',
    'paid_out',
    ...names.flatMap((name) => [`${name}_net`, `${name}_vat`, `${name}_gross`]),
  ];
  return { name: `report-${from}-${to}`, rows: [head, ...days.map((day) => row(day.date, day)), row('total', total)] };
}

/** A page that is not the last says so in its last line. */
export function tableOfTips({ currency, tips, next }: Tips): Table {
  const { decimals } = rulesOfCurrency(currency);
  const rows = tips.map(({ at, date, store_id, order_number, order_id, tip_pence }): Field[] => [
    date,
    at,
    store_id,
    order_number,
    order_id,
    { minor: tip_pence, decimals },
    currency,
  ]);
  const more = next === null ? [] : [[`there are more: read on with after=${next}`]];
  const head = ['date', 'at', 'store_id', 'order_number', 'order_id', 'tip', 'currency'];
  return { name: `tips-${tips[0]?.date ?? 'none'}`, rows: [head, ...rows, ...more] };
}
