import { type DirectoryObject, type directory, managerFields, Problem, type RequestOf, type Role } from '@corner/contracts';
import { checkOrder, editList, type ListEdit } from './edit-list.ts';

type BodyOf<Name extends keyof typeof directory> = RequestOf<(typeof directory)[Name]>['body'];

/** Throws INSUFFICIENT_ROLE, which names the field, for a field that a person below the owner may not change. */
export function checkStoreFields(role: Role, changes: object): void {
  const owners = Object.keys(changes).find((field) => !(managerFields as readonly string[]).includes(field));
  if (role !== 'owner' && owners !== undefined)
    throw new Problem('INSUFFICIENT_ROLE', {
      message: `${owners}: only an owner of the store may change it; the token has the role ${role} there.`,
    });
}

/** Returns a store with the fields of a change. Those of its branding are set one by one. */
export const editStore = (store: DirectoryObject<'store'>, { branding, ...changes }: BodyOf<'changeStore'>) =>
  merged(store, { ...changes, ...(branding ? { branding: { ...store.branding, ...branding } } : {}) });

/** Returns a profile after a change by its customer. Another address than before is one that they typed: no sign-in has confirmed it. */
export function editProfile(customer: DirectoryObject<'customer'>, changes: BodyOf<'changeMe'>): DirectoryObject<'customer'> {
  const { email_verified: verified, ...profile } = customer;
  const changed = merged(profile, changes);
  if (!changed.email) return changed;
  if (!isSameAddress(changed.email, customer.email)) return { ...changed, email_verified: false };
  return verified === undefined ? changed : { ...changed, email_verified: verified };
}

/** Returns a profile after a sign-in whose provider has verified an address: fills in what is missing, and confirms the address that was typed. */
export function confirmProfile(
  customer: DirectoryObject<'customer'>,
  given: Pick<DirectoryObject<'customer'>, 'name' | 'email'>,
): DirectoryObject<'customer'> {
  const { email_verified: verified, ...profile } = customer;
  const filled = { ...profile, name: profile.name ?? given.name, email: profile.email ?? given.email };
  return verified === undefined || isSameAddress(filled.email, given.email) ? filled : { ...filled, email_verified: verified };
}

const isSameAddress = (one: string | null, other: string | null): boolean => one?.toLowerCase() === other?.toLowerCase();

export function editMenu(menu: DirectoryObject<'menu'>, changes: BodyOf<'changeMenu'>) {
  const items = editList(menu.items, 'id', edit(changes.items, changes.remove, changes.order));
  checkOrder(
    changes.order,
    items.map(({ id }) => id),
  );
  return { ...menu, items, promos: editList(menu.promos, 'id', edit(changes.promos, changes.remove_promos)) };
}

export function editSlots(slots: DirectoryObject<'slots'>, { slots: dated, remove, ...changes }: BodyOf<'changeSlots'>) {
  return merged(slots, { ...changes, slots: editList(slots.slots, 'id', edit(dated, remove)) });
}

/** Returns a programme with the fields of a change. Those of several stamps at once are set one by one. */
export function editProgramme(programme: DirectoryObject<'programme'>, changes: BodyOf<'changeProgramme'>) {
  const { multi_stamp, tags, remove_tags, ...fields } = changes;
  const multiStamp = { ...programme.multi_stamp, ...multi_stamp };
  return merged(programme, { ...fields, multi_stamp: multiStamp, tags: editList(programme.tags, 'uid', edit(tags, remove_tags)) });
}

/** Returns a floor after a change. A service that is removed is offered by no chair. */
export function editFloor(floor: DirectoryObject<'floor'>, changes: BodyOf<'changeFloor'>) {
  const { services: wantedServices, remove_services: gone = [], units: wantedUnits, remove_units, order } = changes;
  const services = editList(floor.services, 'id', edit(wantedServices, gone, order));
  const units = editList(floor.units, 'id', edit(wantedUnits, remove_units, order)).map((unit) => ({
    ...unit,
    ...(unit.service_ids ? { service_ids: unit.service_ids.filter((id) => !gone.includes(id)) } : {}),
  }));
  checkOrder(
    order,
    [...services, ...units].map(({ id }) => id),
  );
  return { ...floor, services, units };
}

/** Returns an object with the fields that a change names. */
export const merged = <O extends object>(object: O, changes: object): O => ({ ...object, ...changes });

/** The contract's parser has left out what a request does not name, so no field is undefined. */
const edit = <E>(upsert: readonly object[] | undefined, remove?: readonly string[], order?: readonly string[]): ListEdit<E> => ({
  upsert: upsert as readonly Partial<E>[] | undefined,
  remove,
  order,
});
