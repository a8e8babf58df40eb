import type { ChangedField, ObjectKind } from '@corner/contracts';

const nouns: Readonly<Record<ObjectKind, string>> = {
  store: 'the settings of the store',
  menu: 'the menu',
  slots: 'the collection slots',
  programme: 'the loyalty programme',
  floor: 'the chairs and services',
  booking: 'a booking',
  customer: 'a customer’s membership',
  staff: 'a member of staff',
};
const created: Partial<Record<ObjectKind, string>> = {
  store: 'Created the store.',
  booking: 'Wrote a booking into the diary.',
  staff: 'Added a person.',
};

/** The fields that a sentence names, at most. */
const namedFields = 3;

/** Returns a sentence for the store's log, such as "Changed the menu: items.flat-white.price_pence." */
export function logTitle({
  kind,
  version,
  fields,
}: {
  readonly kind: ObjectKind;
  readonly version: number;
  readonly fields: readonly ChangedField[];
}): string {
  const first = version === 1 ? created[kind] : undefined;
  if (first) return first;
  const named = fields.slice(0, namedFields).map(({ field }) => field);
  const more = fields.length - named.length;
  return `Changed ${nouns[kind]}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
