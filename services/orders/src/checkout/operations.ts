import { createHash } from 'node:crypto';
import { canonicalJson, crashPoint, customerWasErased, type Operation } from '@corner/chassis';
import { normaliseTyped, type orders, Problem, type ProviderMode } from '@corner/contracts';
import type { Context } from '../context.ts';
import { addressHash, deviceHash } from '../order/crypto.ts';
import { childView } from '../order/rules/order-views.ts';
import { orderStatus } from '../order/rules/status.ts';
import { findLegs } from '../order/tables/orders.ts';
import { orderIdFor, withVoucher } from '../payment/index.ts';
import { type Basket, basketOf } from './rules/basket.ts';
import { type CheckedBasket, checkBasket, decidePlacement } from './rules/placement.ts';
import { placeOnce } from './sagas/place-once.ts';
import { preparePayment } from './sagas/prepare-payment.ts';
import { type CheckoutData, type CheckoutQuery, type OrderToPrepare, readCheckoutData } from './tables/checkout-data.ts';
import { StoreSwitched } from './tables/place-refusals.ts';

type Create = Operation<typeof orders.createOrder, Context>;
type Body = Parameters<Create>[0]['body'];

/**
 * Places an order and prepares its payment: loyalty reserves the voucher, one statement takes the holds and writes the order, the
 * provider creates the intent, and the intent is stored. A repeat continues at the first step that is missing.
 */
export const createOrder: Create = async ({ caller, body, header, markReplayed }, context) => {
  const fingerprint = fingerprintOf(body);
  const basket = basketOf(body);
  const device = body.device_fingerprint ? deviceHash(context.deviceSecret, body.device_fingerprint) : null;
  const query = { ...checkoutQuery(caller.id, body, basket, context.mode), deviceHash: device };
  const data = await readCheckoutData(context.database, query);
  if (data.placed) {
    const reply = await preparePaymentAndReply(data.placed, fingerprint, context);
    markReplayed();
    return reply;
  }

  const check = (current: CheckoutData): Checked => {
    const placedAt = context.now();
    return { data: current, basket: checkBasket(basket, body.store_code, current, placedAt), placedAt };
  };
  const checked = check(data);
  const id = body.voucher_id ? orderIdFor(caller.id, body.idempotency_key) : context.newId();
  const voucher = body.voucher_id ? { orderId: id, voucherId: body.voucher_id, customerId: caller.id, storeId: body.store_id } : null;
  const placed = await withVoucher(voucher, context, async (reward) => {
    crashPoint('orders.create.after-voucher');
    const from = { customerId: caller.id, deviceHash: device, addressHash: addressOf(header, context) };
    const request = { ...requestOf(body, context), ...from, fingerprint, paymentMode: context.mode, reward };
    return await placeAsSwitched(checked, {
      place: async (now) => {
        const ids = [id, ...now.basket.legs.map(() => context.newId())] as const;
        const placement = decidePlacement(now.basket, now.data, { ...request, ids, placedAt: now.placedAt });
        return await placeOnce(placement, now.data, context);
      },
      readAgain: () => readCheckoutData(context.database, query),
      check,
    });
  });
  crashPoint('orders.create.after-holds');
  return await preparePaymentAndReply(placed, fingerprint, context);
};

/** A basket that was checked, and the data that it was checked by. */
interface Checked {
  readonly data: CheckoutData;
  readonly basket: CheckedBasket;
  readonly placedAt: Date;
}

/** Places a checked basket. When staff changed a switch of the store since its data was read, reads and checks again: once for each change. */
async function placeAsSwitched(checked: Checked, steps: PlacingSteps): Promise<OrderToPrepare> {
  try {
    return await steps.place(checked);
  } catch (error) {
    if (!(error instanceof StoreSwitched)) throw error;
    const current = await steps.readAgain();
    return current.placed ?? (await placeAsSwitched(steps.check(current), steps));
  }
}

interface PlacingSteps {
  readonly place: (checked: Checked) => Promise<OrderToPrepare>;
  readonly readAgain: () => Promise<CheckoutData>;
  readonly check: (current: CheckoutData) => Checked;
}

/** The hash of the address that the gateway saw: it replaces what callers send. Null for a call that came past it. */
const addressOf = (header: Parameters<Create>[0]['header'], { deviceSecret }: Context): string | null => {
  const address = header('x-forwarded-for');
  return address ? addressHash(deviceSecret, address) : null;
};

const requestOf = (body: Body, { untriedHoldMinutes, orderLimits }: Context) => ({
  key: body.idempotency_key,
  mode: body.fulfilment?.mode ?? ('counter' as const),
  tableNumber: body.fulfilment?.mode === 'table' ? (body.fulfilment.table_number ?? null) : null,
  tipPence: body.tip_pence ?? 0,
  usesPromo: Boolean(body.promo_code),
  voucherId: body.voucher_id ?? null,
  untriedHoldMinutes,
  limits: orderLimits,
  expectedTotalPence: body.expected_total_pence ?? null,
});

function checkoutQuery(customerId: string, body: Body, { main, legs }: Basket, mode: ProviderMode): Omit<CheckoutQuery, 'deviceHash'> {
  const parts = [main, ...legs];
  return {
    storeId: body.store_id,
    customerId,
    key: body.idempotency_key,
    itemIds: parts.flatMap(({ lines }) => lines.flatMap(({ menu_item_id, choices }) => [menu_item_id, ...choices])),
    slotIds: parts.flatMap(({ slotId }) => slotId ?? []),
    collectAt: parts.flatMap(({ slotId, collectAt }) => (slotId ? [] : (collectAt ?? []))),
    promoCode: body.promo_code ? normaliseTyped(body.promo_code) : null,
    mode,
  };
}

/** Prepares the payment of a placed order unless it is prepared, and returns the response. Throws IDEMPOTENCY_KEY_REUSED when another request placed it, and UNAUTHENTICATED when its customer was erased. */
async function preparePaymentAndReply(placed: OrderToPrepare, fingerprint: string, context: Context): ReturnType<Create> {
  if (placed.fingerprint === null) throw customerWasErased();
  if (placed.fingerprint !== fingerprint) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  const { order, sheet } = await preparePayment(placed, context);
  // An order that costs nothing is never confirmed, so its legs are returned here.
  const legs = order.total_pence > 0 ? [] : (order.legs ?? (await findLegs(context.database, order.store_id, order.id)));
  return {
    order_id: order.id,
    order_number: order.order_number,
    status: orderStatus(order),
    requires_payment: sheet.isPayable,
    client_secret: sheet.clientSecret,
    ephemeral_key: sheet.ephemeralKey,
    payment_customer_id: sheet.isPayable ? order.payment_customer : null,
    connected_account_id: order.connected_account_id,
    payment_intent_id: order.payment_intent_id,
    amount_pence: order.total_pence,
    currency: order.currency,
    merchant_name: order.store_name,
    collection_code: order.collection_code,
    ...(legs.length > 0 ? { children: legs.map(childView) } : {}),
  };
}

/** Hashes the request without its key, hexadecimal. The order of the fields does not matter, and null equals an absent field. */
const fingerprintOf = ({ idempotency_key: _, ...request }: Body): string =>
  createHash('sha256').update(canonicalJson(request)).digest('hex');
