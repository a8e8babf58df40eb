import { handleRpc } from '@corner/chassis';
import { dayOfMoney, Problem, readReceipt } from '@corner/contracts';
import type { Context } from '../context.ts';
import { sumVat } from './rules.ts';
import { findReceipt, readDayOfMoney } from './tables.ts';

/** Returns what the receipt of a paid order shows. Throws ORDER_NOT_FOUND when the store has no such paid order. */
export const handleReadReceipt = handleRpc(readReceipt, async ({ order_id, store_id }, { database }: Context) => {
  const receipt = await findReceipt(database, store_id, order_id);
  if (!receipt) throw new Problem('ORDER_NOT_FOUND');
  return {
    ...receipt,
    lines: receipt.lines.map(({ name, quantity, unit_price_pence }) => ({
      name,
      quantity,
      unit_price_pence,
      sum_pence: quantity * unit_price_pence,
    })),
    vat: sumVat(receipt.lines, receipt.discount_pence),
    refunds: receipt.refunds.map(({ lines, ...refund }) => ({
      ...refund,
      lines: lines.map(({ name, quantity, sum_pence }) => ({ name, quantity, sum_pence })),
      vat: sumVat(
        lines.map(({ vat_rate_bps, sum_pence }) => ({ vat_rate_bps, quantity: 1, unit_price_pence: sum_pence })),
        0,
      ),
    })),
  };
});

/** Returns the money of a store's day. Throws STORE_NOT_FOUND. */
export const handleDayOfMoney = handleRpc(dayOfMoney, async ({ store_id, date }, { database }: Context) => {
  const day = await readDayOfMoney(database, store_id, date);
  if (!day) throw new Problem('STORE_NOT_FOUND');
  return { store_id, date, ...day, net: day.gross - day.refunds - day.fees - day.dispute_shares, entries: [...day.entries] };
});
