import { randomUUID } from 'node:crypto';
import { customerSeen, directoryCustomer, directoryStore, type Envelope, orderPaid } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';

/** A store's snapshot. Each version has its own name, which shows which version is stored. */
export const storeSnapshot = (id: string, version: number): Envelope =>
  envelopeOf(directoryStore, { id, version, code: 'S1', name: `Version ${version}` }, { aggregateId: id, sequence: version, storeId: id });

/** A customer's snapshot, with as many devices as its version. */
export const customerSnapshot = (id: string, version: number): Envelope =>
  envelopeOf(
    directoryCustomer,
    {
      id,
      version,
      name: `Version ${version}`,
      email: `version.${version}@example.test`,
      push_devices: Array.from({ length: version }, (_, index) => ({ id: `device-${index}`, platform: 'ios' as const })),
    },
    { aggregateId: id, sequence: version, customerId: id },
  );

/** A `customer.seen` event, as loyalty publishes it. */
export const customerSeenEvent = (customerId: string, storeId: string, at: string): Envelope =>
  envelopeOf(customerSeen, { customer_id: customerId, store_id: storeId }, { aggregateId: customerId, storeId, customerId, at });

/** An `order.paid` event. */
export function orderPaidEvent(customerId: string, storeId: string, at: string): Envelope {
  const orderId = randomUUID();
  return envelopeOf(
    orderPaid,
    {
      order_id: orderId,
      order_number: 'S1-1001',
      store_id: storeId,
      customer_id: customerId,
      paid_at: at,
      total_pence: 550,
      tip_pence: 50,
      net_of_tip_pence: 500,
      currency: 'GBP',
      voucher_id: null,
      promo_code: null,
      is_first: true,
      leg_ids: [],
    },
    { aggregateId: orderId, storeId, customerId, at },
  );
}
