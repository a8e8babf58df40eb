import { crashPoint } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { withVoucher } from '../../payment/index.ts';
import type { Basket } from '../rules/basket.ts';
import { type CheckedBasket, checkBasket, decidePlacement, type PlacedAt, type PlacementRequest } from '../rules/placement.ts';
import { type CheckoutData, type OrderToPrepare, readCheckoutData } from '../tables/checkout-data.ts';
import { HoldRefused, StoreSwitched } from '../tables/place-refusals.ts';
import { placeOnce, type SalePayment } from './place-once.ts';

/** A basket that is to be placed, from a phone or at a counter. */
export interface BasketToPlace
  extends PlacedAt,
    Omit<PlacementRequest, 'ids' | 'placedAt' | 'reward' | 'usesPromo' | 'limits' | 'paymentMode'> {
  readonly storeId: string;
  readonly basket: Basket;
  /** The id that the order is to have; null for any. */
  readonly orderId: string | null;
  /** Normalised: trimmed, upper case. */
  readonly promoCode: string | null;
  /** Null for an order that is paid later. What costs nothing is paid in any case. */
  readonly payment: SalePayment | null;
}

/**
 * Places a basket once for its customer and key, and returns the order: loyalty reserves the voucher, and one statement takes the holds and
 * writes the order. `isRepeat`: an earlier request with the key had placed it. Throws the problems of checking, pricing and holding.
 */
export async function placeBasket(
  wanted: BasketToPlace,
  context: Context,
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
    // Staff may change a switch meanwhile, or a sale without a connection find less stock: it is checked again, and takes what is left.
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

/** A basket that was checked, and the data that it was checked by. */
interface Checked {
  readonly data: CheckoutData;
  readonly basket: CheckedBasket;
  readonly placedAt: Date;
}

function check(wanted: BasketToPlace, data: CheckoutData, { now }: Context): Checked {
  const placedAt = now();
  return { data, basket: checkBasket(wanted.basket, wanted, data, placedAt), placedAt };
}

/** Whether a switch of the store was changed since the basket was checked, or a sale without a connection found less stock than was read. */
const mustCheckAgain = (error: unknown, { offline }: BasketToPlace): boolean =>
  error instanceof StoreSwitched || (Boolean(offline) && error instanceof Error && error.cause instanceof HoldRefused);

function checkoutQuery({ storeId, customerId, key, deviceHash, promoCode, basket: { main, legs } }: BasketToPlace, { mode }: Context) {
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
