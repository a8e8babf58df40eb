/** An order or a leg of it, before it is paid. */
interface UnpaidPart {
  readonly id: string;
  readonly version: number;
  readonly order_number: string;
  readonly order_type: 'buy_now' | 'collect';
}

/** An order or a leg of it, with what it gets when it is paid. */
export interface PaidPart extends UnpaidPart {
  /** Null unless it is collected. */
  readonly collection_code: string | null;
  /** Null for a leg. */
  readonly is_first: boolean | null;
}

/** Decides what an order and each of its legs get when it is paid, the order first. `codes` has a collection code for each. */
export const paidParts = (
  order: UnpaidPart & { readonly legs: readonly UnpaidPart[] } & Buyer,
  codes: readonly string[],
): readonly PaidPart[] =>
  [order, ...order.legs].map(({ id, version, order_number, order_type }, n) => ({
    id,
    version,
    order_number,
    order_type,
    collection_code: order_type === 'collect' ? (codes[n] ?? null) : null,
    is_first: n === 0 ? isFirst(order) : null,
  }));

interface Buyer {
  readonly has_paid_before: boolean;
  readonly without_customer: boolean;
}

/** Whether an order is the first that its customer pays at the store. Of someone who is not known, none is. */
export const isFirst = ({ has_paid_before, without_customer }: Buyer): boolean => !has_paid_before && !without_customer;

/** Returns when a job looks first whether a paid order was accepted, or collected, in time: not before it could be too late. */
export function firstLook(
  { auto_accept, accept_within_minutes }: { readonly auto_accept: boolean; readonly accept_within_minutes: number | null },
  paidAt: Date,
): Date {
  const minutes = auto_accept || accept_within_minutes === null ? minutesUntilLook : accept_within_minutes;
  return new Date(paidAt.getTime() + minutes * 60_000);
}

/** Most orders were collected by then. */
const minutesUntilLook = 120;
