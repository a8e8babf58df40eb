import { z } from 'zod';
import { defineRpc } from '../rpc.ts';
import { Currency, Instant, OrderId, Pence, StoreId } from '../vocabulary.ts';
import { maxOtherReceipts } from './shapes.ts';

/** The sums of one VAT rate, in minor units. `gross_pence` is what was paid, after discounts and without the tip. */
const VatSum = z.object({
  /** In hundredths of a percent; null for items of which the menu named no rate. */
  rate_bps: z.int().nullable(),
  net_pence: Pence,
  vat_pence: Pence,
  gross_pence: Pence,
});

const OrderOfStore = z.object({ order_id: OrderId, store_id: StoreId });

const Receipt = z.object({
  order_number: z.string(),
  paid_at: Instant,
  currency: Currency,
  table_number: z.string().nullable(),
  /** The lines of the order, then those of its legs. */
  lines: z.array(z.object({ name: z.string(), quantity: z.int(), unit_price_pence: Pence, sum_pence: Pence })),
  subtotal_pence: Pence,
  discount_pence: Pence,
  tip_pence: Pence,
  total_pence: Pence,
  /** Highest rate first; the sum of their gross amounts is the total without the tip. */
  vat: z.array(VatSum),
  /** The page that shows it. Null where the deployment has no public address. */
  receipt_url: z.string().nullable().default(null),
  /**
   * The refunds that were accepted and did not fail, the first one first. A refund of an amount has no lines: it is of all that was sold,
   * in proportion, and of the tip last.
   */
  refunds: z
    .array(
      z.object({
        refund_id: z.string().nullable().default(null),
        /** The credit note's number; null when the refund has no credit note. */
        number: z.string().nullable().default(null),
        url: z.string().nullable().default(null),
        amount_pence: Pence,
        refunded_at: Instant,
        lines: z.array(z.object({ name: z.string(), quantity: z.int(), sum_pence: Pence })),
        /** Its sum is the amount without the part that is of the tip. */
        vat: z.array(VatSum),
        tip_pence: Pence.default(0),
      }),
    )
    .default([]),
  /** The parts to collect: the order, or each of its legs. */
  collections: z.array(z.object({ order_number: z.string(), collection_code: z.string().nullable(), collect_at: Instant.nullable() })),
});
export type Receipt = z.output<typeof Receipt>;

export const readReceipt = defineRpc({
  name: 'orders.receipt',
  service: 'orders',
  summary:
    'Returns what the receipt of an order shows: lines, sums, VAT at the rates of when the order was placed, how it is collected, its refunds, and the addresses of their pages; and the same of other orders, in their order.',
  input: OrderOfStore.extend({ others: z.array(OrderOfStore).max(maxOtherReceipts).optional() }),
  /** `others` is absent when the input has none. An entry is null for an order that the store does not have, or that is not paid. */
  output: Receipt.extend({ others: z.array(Receipt.nullable()).optional() }),
  problems: ['ORDER_NOT_FOUND'],
  deadlineMs: 1500,
});

export const findUnknownAccounts = defineRpc({
  name: 'orders.unknown_accounts',
  service: 'orders',
  summary: 'Returns those of some accounts that the payment provider does not know, so that a directory with a wrong account is refused.',
  input: z.object({ account_ids: z.array(z.string().min(1).max(255)).max(50) }),
  output: z.object({ unknown: z.array(z.string()) }),
  problems: ['PAYMENT_PROVIDER_ERROR'],
  deadlineMs: 15_000,
});
