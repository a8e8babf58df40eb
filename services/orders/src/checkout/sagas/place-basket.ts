import { crashPoint } from '@corner/chassis';
import type { Context } from '../../context.ts';
import type { RequestedTender } from '../../order/rules/tenders.ts';
import { withVoucher } from '../../payment/index.ts';
import type { Basket } from '../rules/basket.ts';
import { type CheckedBasket, checkBasket, decidePlacement, type PlacedAt, type PlacementRequest } from '../rules/placement.ts';
import { type CheckoutData, type OrderToPrepare, readCheckoutData } from '../tables/checkout-data.ts';
import { HoldRefused, StoreSwitched } from '../tables/place-refusals.ts';
import { placeOnce } from './place-once.ts';

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
  /** What it is paid with as it is placed; null for an order that is paid later. What costs nothing is paid in any case. */
  readonly tenders: readonly RequestedTender[] | null;
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

  const check = (current: CheckoutData): Checked => {
    const placedAt = context.now();
    return { data: current, basket: checkBasket(wanted.basket, wanted, current, placedAt), placedAt };
  };
  const checked = check(data);
  const id = wanted.orderId ?? context.newId();
  const { voucherId, customerId, storeId, holdMinutes } = wanted;
  const voucher = voucherId ? { orderId: id, voucherId, customerId, storeId, holdMinutes } : null;
  const placed = await withVoucher(voucher, context, async (reward) => {
    crashPoint('orders.create.after-voucher');
    const { orderLimits: limits, mode: paymentMode } = context;
    const request = { ...wanted, limits, paymentMode, usesPromo: wanted.promoCode !== null, reward };
    return await placeAsSwitched(checked, {
      isOffline: Boolean(wanted.offline),
      place: async (now) => {
        const ids = [id, ...now.basket.legs.map(() => context.newId())] as const;
        const placement = decidePlacement(now.basket, now.data, { ...request, ids, placedAt: now.placedAt });
        return await placeOnce(placement, wanted.tenders, now.data, context);
      },
      readAgain: () => readCheckoutData(context.database, query),
      check,
    });
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

/**
 * Places a checked basket. When staff changed a switch of the store since its data was read, reads and checks again: once for each change. So it does
 * when a sale without a connection finds less stock than was read: it takes what is left then.
 */
async function placeAsSwitched(checked: Checked, steps: PlacingSteps): Promise<OrderToPrepare> {
  try {
    return await steps.place(checked);
  } catch (error) {
    const isLess = steps.isOffline && error instanceof Error && error.cause instanceof HoldRefused;
    if (!(error instanceof StoreSwitched) && !isLess) throw error;
    const current = await steps.readAgain();
    return current.placed ?? (await placeAsSwitched(steps.check(current), steps));
  }
}

interface PlacingSteps {
  readonly isOffline: boolean;
  readonly place: (checked: Checked) => Promise<OrderToPrepare>;
  readonly readAgain: () => Promise<CheckoutData>;
  readonly check: (current: CheckoutData) => Checked;
}

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
