import { publish, type Transaction } from '@corner/chassis';
import { type DataOf, orderCustomerBound, type tapPresented } from '@corner/contracts';
import { currentVersionOf, orderFields } from '../../order/rules/event-fields.ts';
import { appendLog } from '../../order/tables/log.ts';
import { bindingMoments } from '../rules.ts';
import { bindLatestSale } from '../tables/sales.ts';

/** Binds the sale paid just before a tap to the customer who tapped, once, and publishes it with the stamp of the tap. */
export async function bindSale(tx: Transaction, { store_id, customer_id, stamp_id, at }: DataOf<typeof tapPresented>): Promise<void> {
  const sale = await bindLatestSale(tx, { storeId: store_id, customerId: customer_id, ...bindingMoments(new Date(at)) });
  if (!sale) return;
  await appendLog(tx, {
    storeId: store_id,
    orderId: sale.id,
    kind: 'customer_bound',
    title: 'The customer tapped the store’s tag: the sale is on their card',
  });
  const { paid_at, total_pence, tip_pence, currency, is_first } = sale;
  await publish(tx, orderCustomerBound, {
    ...currentVersionOf(sale),
    data: {
      ...orderFields(sale),
      paid_at: paid_at ?? '',
      total_pence,
      net_of_tip_pence: total_pence - tip_pence,
      currency,
      is_first: is_first ?? false,
      stamp_id,
    },
  });
}
