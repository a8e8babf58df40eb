import type { Operation } from '@corner/chassis';
import { type directory as contracts, Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { checkStore, madeBy, roleOf } from '../../object/transactions/object-requests.ts';
import { staffView } from '../rules/staff.ts';
import { listStaff as readStaff } from '../tables/staff.ts';
import { changeStaff as changeStaffIn } from '../transactions/change-staff.ts';

export const listStaff: Operation<typeof contracts.listStaff, Context> = async ({ params }, { database }) => {
  await checkStore(database, params.store_id);
  const people = await readStaff(database, params.store_id);
  return { staff: people.flatMap((person) => staffView(person, params.store_id) ?? []) };
};

/** Adds a person to a store. Someone who also works elsewhere keeps that, and their name there. */
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

export const changeStaff: Operation<typeof contracts.changeStaff, Context> = async (request, { database, tokens }) => {
  const { store_id: storeId, staff_id: staffId } = request.params;
  const by = { byRole: roleOf(request.caller, storeId), issuesTokens: tokens !== null, ...madeBy('changeStaff', request) };
  const wanted = { storeId, staffId, change: request.body, ...by };
  const person = await database.transaction((tx) => changeStaffIn(tx, wanted));
  return { version: person.version, staff: staffView(person, storeId) };
};
