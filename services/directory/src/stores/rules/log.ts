import type { ChangedField, LogKind } from '@corner/contracts';

const nouns: Readonly<Record<LogKind, string>> = {
  store: 'the settings of the store',
  menu: 'the menu',
  slots: 'the collection slots',
  programme: 'the loyalty programme',
  floor: 'the chairs and services',
  booking: 'a booking',
  customer: 'a customer’s membership',
  staff: 'a member of staff',
  partner: 'a partner',
};
const created: Partial<Record<LogKind, string>> = {
  store: 'Created the store.',
  booking: 'Wrote a booking into the diary.',
  staff: 'Added a person.',
};

const namedFields = 3;

/** Returns a sentence for the store's log, such as "Changed the menu: items.flat-white.price_pence." */
export function logTitle({
  kind,
  version,
  fields,
}: {
  readonly kind: LogKind;
  readonly version: number;
  readonly fields: readonly ChangedField[];
}): string {
  if (kind === 'partner') return partnerTitle(fields);
  const first = version === 1 ? created[kind] : undefined;
  if (first) return first;
  const named = fields.slice(0, namedFields).map(({ field }) => field);
  const more = fields.length - named.length;
  return `Changed ${nouns[kind]}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** A partner is created or withdrawn with its name; anything else is a new secret. */
function partnerTitle(fields: readonly ChangedField[]): string {
  const name = fields.find(({ field }) => field === 'name');
  if (!name) return 'Made a new secret of a partner.';
  return name.from === null ? `Let the partner ${name.to} in.` : `Withdrew the partner ${name.from}.`;
}
