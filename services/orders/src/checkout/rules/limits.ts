/** How many orders a customer, a device and an address may have at a store, in this order. */
export type MostOrders = readonly [customer: number, device: number, address: number];

/** Limits of what is given to customers who have not paid for it. */
export interface OrderLimits {
  /** Of unpaid orders. */
  readonly unpaid: MostOrders;
  /** Of open orders that cost nothing and that no voucher paid. */
  readonly free: MostOrders;
  /** What unpaid orders of customers who never paid may hold together of a stock, a slot or a code: the greater of both. */
  readonly unproven: { readonly amount: number; readonly percent: number };
}

/** Returns the limits that a process is set to. */
export const orderLimits = (config: LimitSettings): OrderLimits => ({
  unpaid: [config.UNPAID_ORDERS_PER_CUSTOMER, config.UNPAID_ORDERS_PER_DEVICE, config.UNPAID_ORDERS_PER_ADDRESS],
  free: [config.FREE_ORDERS_PER_CUSTOMER, config.FREE_ORDERS_PER_DEVICE, config.FREE_ORDERS_PER_ADDRESS],
  unproven: { amount: config.UNPROVEN_AMOUNT, percent: config.UNPROVEN_PERCENT },
});

type LimitSettings = Readonly<
  Record<`${'UNPAID' | 'FREE'}_ORDERS_PER_${'CUSTOMER' | 'DEVICE' | 'ADDRESS'}` | 'UNPROVEN_AMOUNT' | 'UNPROVEN_PERCENT', number>
>;

/** Whose limit an order reached, and when the first of the orders that count ends, ISO 8601; null when that is not known. */
export interface OpenOrders {
  readonly of: 'customer' | 'device' | 'address';
  readonly endsAt: string | null;
}

/** Seconds after which an order that costs nothing may have been handed over. */
const freeSeconds = 60;

/** Returns the seconds after which another order may be placed, at least one. */
export const secondsUntilPlace = ({ endsAt }: OpenOrders, now: Date): number =>
  endsAt === null ? freeSeconds : Math.max(1, Math.ceil((Date.parse(endsAt) - now.getTime()) / 1000));
