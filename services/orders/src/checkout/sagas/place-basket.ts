import { crashPoint } from '@corner/chassis';
import { withVoucher } from '../../payment/index.ts';
import type { CheckoutContext } from '../context.ts';
import type { Basket } from '../rules/basket.ts';
import { type CheckedBasket, checkBasket, type PlacedAt } from '../rules/check-basket.ts';
import { decidePlacement, type PlacementRequest } from '../rules/placement.ts';
import { type CheckoutData, readCheckoutData } from '../tables/checkout-data.ts';
import { HoldRefused, StoreSwitched } from '../tables/place-refusals.ts';
import type { OrderToPrepare } from '../tables/placed-orders.ts';
import { placeOnce, type SalePayment } from './place-once.ts';

export interface BasketToPlace
  extends PlacedAt,
    Omit<PlacementRequest, 'ids' | 'placedAt' | 'reward' | 'usesPromo' | 'limits' | 'paymentMode'> {
  readonly storeId: string;
  readonly basket: Basket;
  readonly orderId: string | null;
  readonly promoCode: string | null;
  /** Null for an order that is paid later. An order that costs nothing is paid in any case. */
  readonly payment: SalePayment | null;
}

/**
 * Places a basket once for its customer and key, and returns the order: loyalty reserves the voucher, and one statement takes the holds and
 * writes the order. `isRepeat`: an earlier request with the key had placed it. Throws the problems of checking, pricing and holding.
 */
export async function placeBasket(
  wanted: BasketToPlace,
  context: CheckoutContext,
): Promise<{ readonly placed: OrderToPrepare; readonly isRepeat: boolean }> {
  const query = checkoutQuery(wanted, context);
  const data = await readCheckoutData(context.database, query);
  if (data.placed) return { placed: data.placed, isRepeat: true };

  const checked = check(wanted, data, context);
  const id = wanted.orderId ?? context.newId();
  const { voucherId, customerId, storeId, holdMinutes } = wanted;
  const voucher = voucherId ? { orderId: id, voucherId, customerId, storeId, holdMinutes } : null;
  const placed = await withVoucher(voucher, context, async (reward) => {
    crashPoint('orders.create.after-voucher');
    const { orderLimits: limits, mode: paymentMode } = context;
    const request = { ...wanted, limits, paymentMode, usesPromo: wanted.promoCode !== null, reward };
    // The basket is checked again when staff changed a switch meanwhile, or an offline sale found less stock.
    let current = checked;
    for (;;) {
      const ids = [id, ...current.basket.legs.map(() => context.newId())] as const;
      const placement = decidePlacement(current.basket, current.data, { ...request, ids, placedAt: current.placedAt });
      try {
        return await placeOnce(placement, wanted.payment, current.data, context);
      } catch (error) {
        if (!mustCheckAgain(error, wanted)) throw error;
      }
      const again = await readCheckoutData(context.database, query);
      if (again.placed) return again.placed;
      current = check(wanted, again, context);
    }
  });
  crashPoint('orders.create.after-holds');
  return { placed, isRepeat: false };
}

interface Checked {
  readonly data: CheckoutData;
  readonly basket: CheckedBasket;
  readonly placedAt: Date;
}

function check(wanted: BasketToPlace, data: CheckoutData, { now }: CheckoutContext): Checked {
  const placedAt = now();
  return { data, basket: checkBasket(wanted.basket, wanted, data, placedAt), placedAt };
}

const mustCheckAgain = (error: unknown, { offline }: BasketToPlace): boolean =>
  error instanceof StoreSwitched || (Boolean(offline) && error instanceof Error && error.cause instanceof HoldRefused);

function checkoutQuery(
  { storeId, customerId, key, deviceHash, promoCode, basket: { main, legs } }: BasketToPlace,
  { mode }: CheckoutContext,
) {
  const parts = [main, ...legs];
  return {
    storeId,
    customerId,
    key,
    deviceHash,
    promoCode,
    itemIds: parts.flatMap(({ lines }) => lines.flatMap(({ menu_item_id, choices }) => [menu_item_id, ...choices])),
    slotIds: parts.flatMap(({ slotId }) => slotId ?? []),
    collectAt: parts.flatMap(({ slotId, collectAt }) => (slotId ? [] : (collectAt ?? []))),
    mode,
  };
}
