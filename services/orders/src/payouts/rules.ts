/**
 * A payout as the provider describes it, in minor units and an upper-case currency. `arrivesOn` is a day, such as 2026-05-01. `failure` is
 * the provider's reason; null for a payout that did not fail. An itemised payout lists its movements.
 */
export interface Payout {
  readonly id: string;
  readonly amountPence: number;
  readonly currency: string;
  readonly status: string;
  readonly arrivesOn: string;
  readonly createdAt: Date;
  readonly failure: string | null;
  readonly isItemised: boolean;
}

/**
 * A movement in a payout. `sourceId` is the account's payment, or its refund, and `refundOf` the refunded payment; null for other
 * movements. `orderId` is null when the movement names no order. `netPence` is after fees.
 */
export interface PayoutEntry {
  readonly transactionId: string;
  readonly sourceId: string | null;
  readonly refundOf: string | null;
  readonly orderId: string | null;
  readonly netPence: number;
  readonly currency: string;
}

export interface PaidOrder {
  readonly id: string;
  readonly store_id: string;
  readonly currency: string;
  readonly total_pence: number;
  readonly application_fee_pence: number;
}

/** Whether a transfer's group can be an order id: transfers made by hand may have any group. */
export const isOrderId = (group: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(group);

/** Returns the payments that differ from the order's store share. Payments in another currency cannot be compared. */
export function wrongPayments(entries: readonly PayoutEntry[], orders: readonly PaidOrder[]) {
  const byId = new Map(orders.map((order) => [order.id, order]));
  return entries.flatMap(({ sourceId, refundOf, orderId, netPence, currency }) => {
    const order = orderId === null || refundOf !== null ? undefined : byId.get(orderId);
    if (!order || sourceId === null || order.currency !== currency) return [];
    const expectedPence = order.total_pence - order.application_fee_pence;
    return netPence === expectedPence ? [] : [{ order, sourceId, netPence, expectedPence }];
  });
}
