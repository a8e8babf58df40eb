import { handleRpc } from '@corner/chassis';
import { Problem, type Receipt, readReceipt } from '@corner/contracts';
import type { Context } from '../context.ts';
import { receiptUrl } from '../order/crypto.ts';
import { creditNoteNumber, creditsOf, sumVat } from './rules.ts';
import { findReceipts, type ReceiptRow } from './tables.ts';

/** Returns the receipts of paid orders. Throws ORDER_NOT_FOUND when the store has no such paid order; any of `others` is null then. */
export const handleReadReceipt = handleRpc(readReceipt, async ({ others, ...first }, { database, receiptLinks }: Context) => {
  const asked = [first, ...(others ?? [])];
  const found = await findReceipts(
    database,
    asked.map(({ order_id }) => order_id),
    { isForPage: false },
  );
  const [receipt, ...rest] = asked.map(({ order_id, store_id }) => {
    const row = found.find((each) => each.id === order_id && each.store_id === store_id);
    return row ? receiptOf(row, receiptLinks) : null;
  });
  if (!receipt) throw new Problem('ORDER_NOT_FOUND');
  return { ...receipt, ...(others ? { others: rest } : {}) };
});

function receiptOf(receipt: ReceiptRow, receiptLinks: Context['receiptLinks']): Receipt {
  const credits = creditsOf(receipt, receipt.refunds);
  return {
    ...receipt,
    receipt_url: receiptUrl(receiptLinks, receipt.id),
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
              url: credit_note === null ? null : receiptUrl(receiptLinks, receipt.id, credit_note),
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
}
