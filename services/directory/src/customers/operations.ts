import type { Operation } from '@corner/chassis';
import { type directory as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { recordDataAccess } from '../data-access/index.ts';
import { editList } from '../object/rules/edit-list.ts';
import { findObject } from '../object/tables.ts';
import { changeObject, type Versioned } from '../object/transactions/change-object.ts';
import { checkStore, madeBy } from '../object/transactions/object-requests.ts';
import { editProfile, newCustomer } from './rules.ts';
import { checkKnown } from './sagas.ts';

export const readMe: Operation<typeof contracts.readMe, Context> = async ({ caller }, { database }) => {
  const row = await findObject(database, { kind: 'customer', id: caller.id, storeId: null });
  return profileReply(row ?? { version: 0, data: newCustomer(caller.id) });
};

/** The log names the caller by id alone. */
export const changeMe: Operation<typeof contracts.changeMe, Context> = async (request, { database }) => {
  const { id } = request.caller;
  const changed = await database.transaction((tx) =>
    changeObject(tx, {
      kind: 'customer',
      id,
      storeId: null,
      at: null,
      ...madeBy('changeMe', request),
      by: { id, name: null },
      change: (customer) => editProfile(customer ?? newCustomer(id), request.body),
    }),
  );
  return profileReply(changed);
};

export const readMembership: Operation<typeof contracts.readMembership, Context> = async (
  { params: { store_id: storeId, customer_id: customerId }, caller, requestId },
  context,
) => {
  await checkStore(context.database, storeId);
  await checkKnown(context, storeId, customerId);
  return await context.database.transaction(async (tx) => {
    const customer = await findObject(tx, { kind: 'customer', id: customerId, storeId: null });
    if (!customer) throw new Problem('CUSTOMER_NOT_FOUND');
    const kind = caller.type === 'staff' ? 'staff' : 'merchant';
    await recordDataAccess(tx, [{ storeId, by: { kind, id: caller.id }, customerId, what: 'membership', requestId, at: tx.now }]);
    return membershipReply(customer, storeId);
  });
};

/** Replaces a customer's membership of one store; null ends it. Memberships of other stores stay. */
export const changeMembership: Operation<typeof contracts.changeMembership, Context> = async (request, context) => {
  const { store_id: storeId, customer_id: id } = request.params;
  const { membership } = request.body;
  await checkStore(context.database, storeId);
  await checkKnown(context, storeId, id);
  const changed = await context.database
    .transaction((tx) =>
      changeObject(tx, {
        kind: 'customer',
        id,
        storeId: null,
        at: storeId,
        ...madeBy('changeMembership', request),
        change(customer) {
          if (!customer) throw new Problem('CUSTOMER_NOT_FOUND');
          if (membership === undefined) return customer;
          const edit = membership === null ? { remove: [storeId] } : { upsert: [{ store_id: storeId, ...membership }] };
          return { ...customer, memberships: editList(customer.memberships, 'store_id', edit) };
        },
      }),
    )
    .catch((error: unknown) => {
      // The customer was erased: the caller's own token is as good as before.
      throw error instanceof Problem && error.code === 'UNAUTHENTICATED' ? new Problem('CUSTOMER_NOT_FOUND', { cause: error }) : error;
    });
  return membershipReply(changed, storeId);
};

const profileReply = ({ version, data }: Versioned<'customer'>) => ({ version, profile: data });

function membershipReply({ version, data }: Versioned<'customer'>, storeId: string) {
  const found = data.memberships.find(({ store_id }) => store_id === storeId);
  if (!found) return { version, membership: null };
  const { store_id: _, ...membership } = found;
  return { version, membership };
}
