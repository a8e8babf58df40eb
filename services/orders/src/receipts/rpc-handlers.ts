import { handleRpc } from '@corner/chassis';
import { Problem, readReceipt } from '@corner/contracts';
import type { Context } from '../context.ts';
import { receiptUrl } from '../order/crypto.ts';
import { creditNoteNumber, creditsOf, sumVat } from './rules.ts';
import { findReceipt } from './tables.ts';

/** Returns what the receipt of a paid order shows. Throws ORDER_NOT_FOUND when the store has no such paid order. */
export const handleReadReceipt = handleRpc(readReceipt, async ({ order_id, store_id }, { database, receiptLinks }: Context) => {
  const receipt = await findReceipt(database, order_id, store_id);
  if (!receipt) throw new Problem('ORDER_NOT_FOUND');
  const credits = creditsOf(receipt, receipt.refunds);
  return {
    ...receipt,
    receipt_url: receiptUrl(receiptLinks, order_id),
    lines: receipt.lines.map(({ name, quantity, unit_price_pence }) => ({
      name,
      quantity,
      unit_price_pence,
      sum_pence: quantity * unit_price_pence,
    })),
    vat: sumVat(receipt.lines, receipt.discount_pence),
    refunds: receipt.refunds.flatMap(({ id, credit_note, accepted_at, failed_at, amount_pence, lines }, n) =>
      failed_at === null
        ? [
            {
              refund_id: id,
              number: credit_note === null ? null : creditNoteNumber(receipt, credit_note),
              url: credit_note === null ? null : receiptUrl(receiptLinks, order_id, credit_note),
              amount_pence,
              refunded_at: accepted_at,
              lines: lines.map(({ name, quantity, sum_pence }) => ({ name, quantity, sum_pence })),
              vat: [...(credits[n]?.vat ?? [])],
              tip_pence: credits[n]?.tip_pence ?? 0,
            },
          ]
        : [],
    ),
  };
});
