import { erasingOf } from '@corner/chassis';
import type { PaymentContext } from '../payment/index.ts';
import { isOfOtherMode } from '../provider/rules.ts';
import { eraseCustomer, exportedSections, forgetAtProvider, mostDaysUnderWay, readAtProvider } from './tables.ts';

/**
 * Erases and exports a customer's data in orders. An order under way is finished first, for at most a week: its notes may name an allergy.
 */
export const erasing = erasingOf<PaymentContext>('orders', {
  async erase(tx, customerId) {
    const { names, orders, texts } = await eraseCustomer(tx, customerId);
    return [
      ...(names > 0 ? ['The name was deleted.'] : []),
      ...(orders > 0 ? [`Tables and hashes of devices were dropped from ${orders} orders.`] : []),
      ...(texts > 0 ? [`${texts} notes and texts about orders were dropped.`] : []),
    ];
  },
  async isLeft(tx, customerId) {
    const { under_way, provider_id, asked_at } = await readAtProvider(tx, customerId, tx.now);
    return under_way > 0 || provider_id !== null || asked_at !== null;
  },
  /** Deletes the provider's customer once no order is under way. A customer whose creation got no response is searched for. */
  async askOutside(customerId, { database, payments, mode, now }) {
    const { under_way, provider_id, mode: ofMode, asked_at } = await readAtProvider(database, customerId, now());
    if (under_way > 0 || (provider_id === null && asked_at === null)) return async () => [];
    // A key reaches only customers of its own mode; this deployment no longer manages those of the other.
    const isReachable = !isOfOtherMode(ofMode, mode);
    const found = isReachable ? (provider_id ?? (asked_at && (await payments.findCustomer(customerId, new Date(asked_at)))?.id)) : null;
    if (found) await payments.deleteCustomer(found);
    return async (tx) => {
      await forgetAtProvider(tx, customerId);
      return found ? ['The customer at the payment provider was deleted, with their payment methods.'] : [];
    };
  },
  kept: [
    {
      what: 'Notes and table of an order that is under way, and the customer at the payment provider until then.',
      why: 'A note may be about an allergy.',
      how_long: `Until the order has ended; ${mostDaysUnderWay} days after its time where no one ends it.`,
    },
    {
      what: 'Orders, refunds and the ledger: items, sums, VAT and tips. They have a random number in place of the person.',
      why: 'A shop has to keep records of its sales: VAT Act 1994, schedule 11, paragraph 6, and HMRC VAT Notice 700/21; of tips, for three years, the Employment (Allocation of Tips) Act 2023.',
      how_long: 'Six years, and then as the operator decides.',
    },
    {
      what: 'Payments, refunds and disputes at the payment provider.',
      why: 'The provider has to keep them: the Money Laundering Regulations 2017, regulation 40.',
      how_long: 'As the provider says; five years at least.',
    },
    {
      what: 'What staff wrote about a delay or a cancellation, where an event of it was sent already.',
      why: 'It is on its way to the other services.',
      how_long: 'Seven days.',
    },
  ],
  sections: exportedSections,
});
