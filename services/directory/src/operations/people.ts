import type { Operation } from '@corner/chassis';
import { type directory as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { editList } from '../rules/edit-list.ts';
import { editProfile } from '../rules/edits.ts';
import { staffView } from '../rules/staff.ts';
import { checkKnown } from '../sagas/known-customers.ts';
import { listStaff as readStaff } from '../tables/lists.ts';
import { findObject } from '../tables/objects.ts';
import { changeObject, type Versioned } from '../transactions/change-object.ts';
import { changeStaff as changeStaffIn } from '../transactions/change-staff.ts';
import { checkStore, madeBy, roleOf } from '../transactions/object-requests.ts';
import { recordDataAccess } from '../transactions/record-data-access.ts';
import { newCustomer } from '../transactions/sign-in.ts';

export const listStaff: Operation<typeof contracts.listStaff, Context> = async ({ params }, { database }) => {
  await checkStore(database, params.store_id);
  const people = await readStaff(database, params.store_id);
  return { staff: people.flatMap((person) => staffView(person, params.store_id) ?? []) };
};

/** Adds a person to a store. Someone who works elsewhere keeps that, and the name that they have there. */
export const addStaff: Operation<typeof contracts.addStaff, Context> = async (request, { database, tokens }) => {
  const { id, name, ...change } = request.body;
  const storeId = request.params.store_id;
  const by = { byRole: roleOf(request.caller, storeId), issuesTokens: tokens !== null, ...madeBy('addStaff', request) };
  const wanted = { storeId, staffId: id, add: { name }, change, ...by };
  const person = await database.transaction((tx) => changeStaffIn(tx, wanted));
  const staff = staffView(person, storeId);
  // A repeat after a crash may find that the person was dismissed meanwhile.
  if (!staff) throw new Problem('STAFF_NOT_FOUND');
  return { version: person.version, staff };
};

/** Changes a person's part of a store. The role null dismisses them. */
export const changeStaff: Operation<typeof contracts.changeStaff, Context> = async (request, { database, tokens }) => {
  const { store_id: storeId, staff_id: staffId } = request.params;
  const by = { byRole: roleOf(request.caller, storeId), issuesTokens: tokens !== null, ...madeBy('changeStaff', request) };
  const wanted = { storeId, staffId, change: request.body, ...by };
  const person = await database.transaction((tx) => changeStaffIn(tx, wanted));
  return { version: person.version, staff: staffView(person, storeId) };
};

export const readMe: Operation<typeof contracts.readMe, Context> = async ({ caller }, { database }) => {
  const row = await findObject(database, { kind: 'customer', id: caller.id, storeId: null });
  return profileReply(row ?? { version: 0, data: newCustomer(caller.id) });
};

/** Changes the caller's own profile. The log names the caller by id alone. */
export const changeMe: Operation<typeof contracts.changeMe, Context> = async (request, { database }) => {
  const { id } = request.caller;
  const changed = await database.transaction((tx) =>
    changeObject(tx, {
      ...{ kind: 'customer', id, storeId: null, at: null },
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

/** Replaces a customer's membership of one store; null ends it. Those of other stores stay. */
export const changeMembership: Operation<typeof contracts.changeMembership, Context> = async (request, context) => {
  const { store_id: storeId, customer_id: id } = request.params;
  const { membership } = request.body;
  await checkStore(context.database, storeId);
  await checkKnown(context, storeId, id);
  const changed = await context.database
    .transaction((tx) =>
      changeObject(tx, {
        ...{ kind: 'customer', id, storeId: null, at: storeId },
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
