interface UnpaidPart {
  readonly id: string;
  readonly version: number;
  readonly order_number: string;
  readonly order_type: 'buy_now' | 'collect';
}

/** A part with its state after payment. `collection_code` is null unless it is collected; `is_first` is null for a leg. */
export interface PaidPart extends UnpaidPart {
  readonly collection_code: string | null;
  readonly is_first: boolean | null;
}

/** Decides the state of an order and its legs after payment, the order first. `codes` has a collection code for each. */
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

/** Whether an order is the customer's first paid one at the store; never for a sale without a customer. */
export const isFirst = ({ has_paid_before, without_customer }: Buyer): boolean => !has_paid_before && !without_customer;

/** Returns when a job first checks whether a paid order was accepted or collected in time: not before it could be late. */
export function firstLook(
  { auto_accept, accept_within_minutes }: { readonly auto_accept: boolean; readonly accept_within_minutes: number | null },
  paidAt: Date,
): Date {
  const minutes = auto_accept || accept_within_minutes === null ? minutesUntilLook : accept_within_minutes;
  return new Date(paidAt.getTime() + minutes * 60_000);
}

const minutesUntilLook = 120;
