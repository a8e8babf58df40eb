/** A payout as the provider describes it. */
export interface Payout {
  readonly id: string;
  /** In minor units. */
  readonly amountPence: number;
  /** Upper case. */
  readonly currency: string;
  readonly status: string;
  /** A day, such as 2026-05-01. */
  readonly arrivesOn: string;
  readonly createdAt: Date;
  /** Why it failed, in the provider's words; null for one that did not. */
  readonly failure: string | null;
  /** Whether the provider says which movements it pays out. */
  readonly isItemised: boolean;
}

/** A movement of the account's balance that a payout pays out. */
export interface PayoutEntry {
  readonly transactionId: string;
  /** The account's payment, or what refunded one; null for any other. */
  readonly sourceId: string | null;
  /** The payment that a refund refunds; null for what is no refund. */
  readonly refundOf: string | null;
  /** The order whose payment it is; null when the movement names none. */
  readonly orderId: string | null;
  /** The change of the account's balance, after fees. */
  readonly netPence: number;
  /** Upper case. */
  readonly currency: string;
}

/** An order that an entry pays. */
export interface PaidOrder {
  readonly id: string;
  readonly store_id: string;
  readonly currency: string;
  readonly total_pence: number;
  readonly application_fee_pence: number;
}

/** Whether a transfer's group can be the id of an order: transfers that are made by hand may have any group. */
export const isOrderId = (group: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(group);

/** Returns the payments whose amount is not what the order's store was to receive. One in another currency cannot be compared. */
export function wrongPayments(entries: readonly PayoutEntry[], orders: readonly PaidOrder[]) {
  const byId = new Map(orders.map((order) => [order.id, order]));
  return entries.flatMap(({ sourceId, refundOf, orderId, netPence, currency }) => {
    const order = orderId === null || refundOf !== null ? undefined : byId.get(orderId);
    if (!order || sourceId === null || order.currency !== currency) return [];
    const expectedPence = order.total_pence - order.application_fee_pence;
    return netPence === expectedPence ? [] : [{ order, sourceId, netPence, expectedPence }];
  });
}
