import { randomInt } from 'node:crypto';
import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { orderFulfilmentChanged, orderPaid } from '@corner/contracts';
import { currentVersionOf, orderFields } from '../rules/order-event.ts';
import { writeAcceptedPayment } from '../tables/accept-payment.ts';
import type { Charge } from '../tables/order-payments.ts';
import type { OrderRow } from '../tables/orders.ts';

export interface Payment extends Charge {
  readonly customerId: string;
  readonly legIds: readonly string[];
  /** Whether the order had ended and its holds were taken again for this payment. */
  readonly wasEnded?: boolean;
}

/**
 * Marks an order and its legs as paid, and returns them, main order first. The caller holds their locks, or has inserted them in this
 * transaction. Publishes order.paid, and order.fulfilment_changed for what the store accepts at once.
 */
export async function acceptPayment(tx: Transaction, payment: Payment): Promise<readonly [OrderRow, ...OrderRow[]]> {
  const { legIds, wasEnded } = payment;
  const [order, ...legs] = await writeAcceptedPayment(tx, {
    ...payment,
    codes: Array.from({ length: 8 * (1 + legIds.length) }, newCode),
    detail: wasEnded ? 'It came after the order had ended; everything in it was still available.' : null,
  });
  if (!order || legs.length !== legIds.length) throw new Error('an order was marked paid without all its legs');
  await publishAll(tx, [
    paidEvent(
      order,
      legs.map(({ id }) => id),
    ),
    ...[order, ...legs]
      .filter(({ order_type, fulfilment_status }) => order_type === 'collect' && fulfilment_status === 'accepted')
      .map(acceptedEvent),
  ]);
  return [order, ...legs];
}

/** Without letters and digits that look alike. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const newCode = (): string => Array.from({ length: 4 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

const paidEvent = (order: OrderRow, legIds: readonly string[]) =>
  outboxEntry(orderPaid, {
    ...currentVersionOf(order),
    data: {
      ...orderFields(order),
      paid_at: paidAtOf(order),
      total_pence: order.total_pence,
      tip_pence: order.tip_pence,
      net_of_tip_pence: order.total_pence - order.tip_pence,
      currency: order.currency,
      voucher_id: order.voucher_id,
      promo_code: order.promo_code,
      is_first: order.is_first ?? false,
      leg_ids: [...legIds],
    },
  });

const acceptedEvent = (order: OrderRow) =>
  outboxEntry(orderFulfilmentChanged, {
    ...currentVersionOf(order),
    data: { ...orderFields(order), from: null, to: 'accepted', at: paidAtOf(order), collection_code: order.collection_code },
  });

function paidAtOf({ paid_at }: OrderRow): string {
  if (!paid_at) throw new Error('an order was marked paid without a time');
  return paid_at;
}
