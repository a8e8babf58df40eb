import type { components } from '@corner/client';
import { rulesOfCurrency } from '@corner/contracts/currencies';
import type { OrderBody } from './attempts.ts';
import { type Basket, type CheckedLine, subtotalOf, tableOf } from './basket.ts';

type Store = components['schemas']['Store'];

const mostTip = (subtotalPence: number): number => Math.max(50_000, subtotalPence);

export function percentOf(pence: number, percent: number, currency: string): number {
  const { step } = rulesOfCurrency(currency);
  return Math.min(mostTip(pence), Math.round((pence * percent) / 100 / step) * step);
}

export const withTip = (basket: Basket, subtotalPence: number, currency: string): Basket =>
  basket.tip_percent === null ? basket : { ...basket, tip_pence: percentOf(subtotalPence, basket.tip_percent, currency) };

/**
 * Parses a typed tip, such as 1.50 or 1,50, into minor units of the currency. Null if it is not an amount, or cannot be charged for a
 * basket of `subtotalPence`.
 */
export function readAmount(text: string, currency: string, subtotalPence = 0): number | null {
  const { decimals, step } = rulesOfCurrency(currency);
  const plain = text.trim().replace(',', '.');
  if (!/^\d{1,7}(?:\.\d*)?$/.test(plain)) return null;
  const minor = Math.round(Number(plain) * 10 ** decimals);
  return minor % step === 0 && minor <= mostTip(subtotalPence) ? minor : null;
}

export const totalOf = (lines: readonly CheckedLine[], { tip_pence }: Basket): number => subtotalOf(lines) + tip_pence;

/** The customer was shown `shownPence`: another total is refused with PRICE_CHANGED, which has the new one. A time after `readyFrom` is so with READY_LATER. */
export function orderBody(
  basket: Basket,
  {
    store,
    shownPence,
    readyFrom = null,
    now,
  }: {
    readonly store: Pick<Store, 'id' | 'code' | 'takes_orders'>;
    readonly shownPence: number;
    readonly readyFrom?: string | null;
    readonly now: number;
  },
): OrderBody {
  const promo = basket.promo_code.trim();
  const table = store.takes_orders === 'now' ? tableOf(basket, now) : null;
  return {
    store_code: store.code,
    store_id: store.id,
    items: basket.lines.map(({ menu_item_id, quantity, choices, note }) => ({
      menu_item_id,
      quantity,
      ...(choices.length > 0 ? { choices: [...choices] } : {}),
      ...(note ? { note } : {}),
    })),
    ...whenAndWhere(table, basket.slot_id),
    ...(basket.tip_pence > 0 ? { tip_pence: basket.tip_pence } : {}),
    ...(promo ? { promo_code: promo } : {}),
    ...(basket.voucher_id ? { voucher_id: basket.voucher_id } : {}),
    expected_total_pence: shownPence,
    ...(readyFrom ? { expected_ready_from: readyFrom } : {}),
  };
}

function whenAndWhere(table: string | null, slotId: string | null): Partial<OrderBody> {
  if (table !== null) return { fulfilment: { mode: 'table', table_number: table }, order_type: 'buy_now' };
  if (slotId !== null) return { order_type: 'collect', collection_mode: 'scheduled', slot_id: slotId };
  return { order_type: 'collect', collection_mode: 'now' };
}
