import { type AnyOperation, directory, type ObjectKind, objectKinds, objectSchemas, snapshotOfKind } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';

function fieldsOf(schema: z.ZodType, path = ''): string[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return fieldsOf(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType, `${path}[]`);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    fieldsOf(field, path === '' ? name : `${path}.${name}`),
  );
}

/** The operations that set fields of each kind, and where a field of their bodies goes when its name is another one. */
const setBy: Readonly<Record<ObjectKind, readonly AnyOperation[]>> = {
  store: [directory.createStore, directory.changeStore],
  menu: [directory.changeMenu],
  slots: [directory.changeSlots],
  programme: [directory.changeProgramme],
  floor: [directory.changeFloor],
  booking: [directory.createBooking, directory.changeBooking],
  customer: [directory.changeMe, directory.changeMembership],
  staff: [directory.addStaff, directory.changeStaff],
};
const renamed: readonly (readonly [RegExp, string])[] = [
  [/^role$/, 'stores[].role'],
  [/^revoke_sessions/, 'revoked_sessions'],
  [/^membership\./, 'memberships[].'],
];
const identities: Readonly<Record<ObjectKind, readonly string[]>> = {
  store: ['id'],
  menu: ['store_id'],
  slots: ['store_id'],
  programme: ['store_id'],
  floor: ['store_id'],
  booking: ['id', 'store_id'],
  customer: ['id', 'memberships[].store_id'],
  staff: ['id', 'stores[].id', 'cards[].store_id'],
};
/** Fields that the platform alone sets: by an import, `email_verified` by a sign-in. */
const setByPlatform: Partial<Record<ObjectKind, readonly string[]>> = {
  store: ['connected_account_id', 'fee_bps', 'on_behalf_of', 'platform_covers_refunds', 'disputes_borne_by', 'listing'],
  programme: ['store_ids[]', 'plan_key', 'monthly_stamp_quota', 'multi_stamp.entitled'],
  customer: ['identity_user_id', 'email_verified'],
};

const setByOperations = (kind: ObjectKind): string[] =>
  setBy[kind]
    .flatMap(({ body }) => fieldsOf(body as z.ZodType))
    .map((field) => renamed.reduce((name, [from, to]) => name.replace(from, to), field));

const unset = (kind: ObjectKind, fields: readonly string[]): string[] => {
  const known = new Set([...setByOperations(kind), ...identities[kind], ...(setByPlatform[kind] ?? [])]);
  return fields.filter((field) => !known.has(field));
};

test.each(objectKinds)('every field of a %s is set by an operation, by its path or by the platform', (kind) => {
  expect(unset(kind, fieldsOf(objectSchemas[kind]))).toEqual([]);
});

test.each(objectKinds)(
  'every field that the event of a %s publishes is one of the object: nothing is published that no one can set',
  (kind) => {
    const published = fieldsOf(snapshotOfKind[kind].data).filter((field) => field !== 'version');
    expect(published.filter((field) => !fieldsOf(objectSchemas[kind]).includes(field))).toEqual([]);
  },
);

test.each(objectKinds)('no request sets what is the platform’s of a %s, and the lists name no field that is not there', (kind) => {
  const listed = setByPlatform[kind] ?? [];
  expect(setByOperations(kind).filter((field) => listed.includes(field))).toEqual([]);
  expect([...listed, ...identities[kind]].filter((field) => !fieldsOf(objectSchemas[kind]).includes(field))).toEqual([]);
});

test('a new field without an operation is found', () => {
  const grown = objectSchemas.menu.extend({
    items: z.array(objectSchemas.menu.shape.items.element.safeExtend({ colours: z.array(z.string()) })),
  });
  expect(unset('menu', fieldsOf(grown))).toEqual(['items[].colours[]']);
});
