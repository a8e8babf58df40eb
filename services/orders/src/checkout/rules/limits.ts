/** How many orders a customer, a device and an address may have at a store, in this order. */
export type MostOrders = readonly [customer: number, device: number, address: number];

export interface OrderLimits {
  readonly unpaid: MostOrders;
  readonly free: MostOrders;
  /** What unpaid orders of customers who never paid may hold together of a stock, a slot or a code: the greater of both. */
  readonly unproven: { readonly amount: number; readonly percent: number };
}

export const orderLimits = (config: LimitSettings): OrderLimits => ({
  unpaid: [config.UNPAID_ORDERS_PER_CUSTOMER, config.UNPAID_ORDERS_PER_DEVICE, config.UNPAID_ORDERS_PER_ADDRESS],
  free: [config.FREE_ORDERS_PER_CUSTOMER, config.FREE_ORDERS_PER_DEVICE, config.FREE_ORDERS_PER_ADDRESS],
  unproven: { amount: config.UNPROVEN_AMOUNT, percent: config.UNPROVEN_PERCENT },
});

type LimitSettings = Readonly<
  Record<`${'UNPAID' | 'FREE'}_ORDERS_PER_${'CUSTOMER' | 'DEVICE' | 'ADDRESS'}` | 'UNPROVEN_AMOUNT' | 'UNPROVEN_PERCENT', number>
>;

/** Whose limit an order reached, and when the first of the counted orders ends, ISO 8601; null when that is unknown. */
export interface OpenOrders {
  readonly of: 'customer' | 'device' | 'address';
  readonly endsAt: string | null;
}

/** Seconds after which an order that costs nothing may have been handed over. */
const freeSeconds = 60;

export const secondsUntilPlace = ({ endsAt }: OpenOrders, now: Date): number =>
  endsAt === null ? freeSeconds : Math.max(1, Math.ceil((Date.parse(endsAt) - now.getTime()) / 1000));
