import { erasingOf, handleRpc, hasRole, type Operation } from '@corner/chassis';
import {
  findCustomer as findCustomerRpc,
  knowsCustomer,
  type loyalty,
  Problem,
  readLastVisits as readLastVisitsRpc,
} from '@corner/contracts';
import { dataRead } from '../card/transactions.ts';
import type { Context } from '../context.ts';
import { expireVoucher } from '../vouchers/index.ts';
import { lookUpDays, masked, readLookUp } from './rules.ts';
import { activeVouchersOf, deleteLookUps, eraseCustomer, exportedSections, findCustomersAt, isKnownAt, readLastVisits } from './tables.ts';

/**
 * Finds customers who dealt with a store, and records the look-up. Names are shown as in customerState; e-mail, phone and account to
 * managers and owners only.
 */
export const findCustomers: Operation<typeof loyalty.findCustomers, Context> = async ({ query, caller }, { database, now, newId }) => {
  const { store_id: storeId } = query;
  const lookUp = readLookUp(query.q);
  if (!lookUp)
    throw new Problem('VALIDATION_FAILED', {
      message: 'q: must be the text of a card, an e-mail address, four digits of a phone number, three letters of a name, or a whole name',
    });
  const by = { id: caller.id, name: caller.name };
  const at = now();
  const read = dataRead(caller, { id: newId(), storeId, customerIds: [], what: 'look_up', at });
  const found = await database.publishing((queries) =>
    findCustomersAt(queries, { storeId, lookUp, masked: masked(lookUp), by, now: at, read }),
  );
  if (!found) throw new Problem('STORE_NOT_FOUND');
  const seesContact = hasRole(caller, storeId, 'manager');
  return {
    customers: found.customers.map(({ known, memberships, ...customer }) => {
      const membership = memberships?.find(({ store_id }) => store_id === storeId);
      return {
        customer: {
          id: customer.id,
          name: known ? customer.name : null,
          email: known && seesContact ? customer.email : null,
          phone: known && seesContact ? customer.phone : null,
          identity_user_id: known && seesContact ? customer.identity_user_id : null,
          last_seen: customer.last_visit_at,
          created_at: customer.created_at,
          updated_at: null,
        },
        stamp_count: customer.stamp_count,
        goal: found.goal ?? 0,
        reward_name: found.reward_title ?? '',
        driver: found.driver,
        order_count: customer.order_count,
        active_vouchers: customer.vouchers,
        membership: membership
          ? { status: membership.status, current_period_end: membership.current_period_end, plan_name: membership.plan_name }
          : null,
      };
    }),
  };
};

/**
 * Returns the customer meant at a counter, to the service that sells there. A card names its customer, known at the store or not, because
 * the customer shows it. Any other look-up finds customers of the store and is recorded. A name finds no one: the till shows no list to
 * choose from.
 */
export const handleFindCustomer = handleRpc(findCustomerRpc, async ({ store_id: storeId, q, by }, { database, now, newId }: Context) => {
  const lookUp = readLookUp(q);
  if (lookUp?.kind === 'card') return { customer_ids: [lookUp.customerId] };
  if (!lookUp || lookUp.kind === 'name' || !by) return { customer_ids: [] };
  const at = now();
  const read = dataRead({ type: by.kind, id: by.id }, { id: newId(), storeId, customerIds: [], what: 'look_up', at });
  const found = await database.publishing((queries) =>
    findCustomersAt(queries, { storeId, lookUp, masked: masked(lookUp), by: { id: by.id, name: by.name }, now: at, read }),
  );
  if (!found) throw new Problem('STORE_NOT_FOUND');
  return { customer_ids: found.customers.map(({ id }) => id) };
});

export const handleReadLastVisits = handleRpc(readLastVisitsRpc, async ({ customer_ids }, { database }: Context) => ({
  visits: [...(await readLastVisits(database, customer_ids))],
}));

export const handleKnowsCustomer = handleRpc(knowsCustomer, async ({ store_id, customer_id }, { database }: Context) => ({
  known: await isKnownAt(database, store_id, customer_id),
}));

export async function dropOldLookUps({ database, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - lookUpDays * 86_400_000);
  while ((await deleteLookUps(database, before)) === 1_000);
}

/** Erases and exports the data of a customer. Cards and stamps stay under an anonymous id, so that the sums of a store stay true. */
export const erasing = erasingOf<Context>('loyalty', {
  async erase(tx, customerId) {
    const vouchers = await activeVouchersOf(tx, customerId);
    for (const voucher of vouchers) await expireVoucher(tx, voucher);
    const { names, devices, codes, receipts } = await eraseCustomer(tx, customerId);
    return [
      ...(names > 0 ? ['The profile was deleted: the cards are no one’s any more.'] : []),
      ...(vouchers.length > 0 ? [`${vouchers.length} vouchers that could be used have expired.`] : []),
      ...(devices + codes > 0 ? [`Hashes and hints of devices were dropped from ${devices + codes} rows.`] : []),
      ...(receipts > 0 ? [`The ids of ${receipts} receipts of taps, which the phone had made, were dropped.`] : []),
    ];
  },
  kept: [
    {
      what: 'Cards with their stamps and the way in which each was collected, used vouchers, and what was paid. They have a random number in place of the person.',
      why: 'A store’s figures and the stamps of refunded orders are made of them. Nothing says any more whose number it was.',
      how_long: 'As long as the store is there.',
    },
    {
      what: 'What staff looked for to find a customer, masked to first letters or two digits.',
      why: 'It shows a store who of its staff looks people up.',
      how_long: `${lookUpDays} days.`,
    },
  ],
  sections: exportedSections,
});
