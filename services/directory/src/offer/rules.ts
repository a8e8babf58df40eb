import type { DirectoryObject, directory, RequestOf } from '@corner/contracts';
import { checkOrder, editList, type ListEdit, merged } from '../object/rules/edit-list.ts';

type BodyOf<Name extends keyof typeof directory> = RequestOf<(typeof directory)[Name]>['body'];

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

export function editProgramme(programme: DirectoryObject<'programme'>, changes: BodyOf<'changeProgramme'>) {
  const { multi_stamp, tags, remove_tags, ...fields } = changes;
  const multiStamp = { ...programme.multi_stamp, ...multi_stamp };
  return merged(programme, { ...fields, multi_stamp: multiStamp, tags: editList(programme.tags, 'uid', edit(tags, remove_tags)) });
}

/** A removed service is offered by no chair. */
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

/** The contract's parser has left out fields that a request does not name, so no field is undefined. */
const edit = <E>(upsert: readonly object[] | undefined, remove?: readonly string[], order?: readonly string[]): ListEdit<E> => ({
  upsert: upsert as readonly Partial<E>[] | undefined,
  remove,
  order,
});
