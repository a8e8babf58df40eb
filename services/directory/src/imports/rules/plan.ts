import { type ChangedField, type DirectoryObject, formatMoney, type ObjectKind } from '@corner/contracts';

export interface NamedStore {
  readonly name: string;
  readonly currency: string;
}

/** `before`: null for a new object. `store`: null for an object of no store, and for an unknown store. */
export interface PlannedChange {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly before: DirectoryObject | null;
  readonly data: DirectoryObject;
  readonly fields: readonly ChangedField[];
  readonly store: NamedStore | null;
}

/** Returns the sentences of a change: one for an object that is new, else one a field. Personal data and secrets have no values in them. */
export function planOf({ kind, id, before, data, fields, store }: PlannedChange): string[] {
  const what = nameOf(kind, id, data, store);
  if (before === null) return [`${what}: new${contentOf(data)}`];
  return fields
    .flatMap((field) => (field.field === 'hours' ? phrasesOfHours(before, data) : [phraseOf(field, store?.currency ?? 'GBP')]))
    .map((phrase) => `${what}: ${phrase}`);
}

function nameOf(kind: ObjectKind, id: string, data: DirectoryObject, store: NamedStore | null): string {
  if (kind === 'store' || kind === 'staff') return `${kind} ${'name' in data ? data.name : id}`;
  if (kind === 'customer') return `customer ${id}`;
  const place = store?.name ?? `store ${'store_id' in data ? data.store_id : id}`;
  return kind === 'booking' ? `booking ${id} at ${place}` : `${kind} of ${place}`;
}

const contentOf = (data: DirectoryObject): string =>
  (['items', 'promos', 'slots', 'template', 'services', 'units', 'tags'] as const)
    .map((list) => [list, (data as Readonly<Record<string, unknown>>)[list]] as const)
    .flatMap(([list, entries]) => (Array.isArray(entries) && entries.length > 0 ? [`, ${counted(entries.length, nounOf(list))}`] : []))
    .join('');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const nounOf = (list: string): string => (list === 'template' ? 'weekly row' : list.replace(/(memberships|closures|hours)$|s$/, '$1'));

function phraseOf({ field, from, to }: ChangedField, currency: string): string {
  const [list = '', key, ...path] = field.split('.');
  const entry = `${nounOf(list)} ${key}`;
  const label = labelOf(key === undefined ? list : path.length === 0 ? entry : `${entry}: ${path.join(' ')}`);
  if (from === null && to === null) return `${label} changed`;
  if (from === null && isObject(to)) return `${label}: new`;
  if (to === null && isObject(from)) return `${label}: removed`;
  return `${label} ${shownValue(from, field, currency)} → ${shownValue(to, field, currency)}`;
}

const labelOf = (path: string): string => path.replace(/_pence|_bps/, '').replaceAll('_', ' ');
const isObject = (value: string | null): boolean => value?.startsWith('{') === true;

function shownValue(value: string | null, field: string, currency: string): string {
  if (value === null || value === '' || value === '[]') return 'none';
  if (field.endsWith('_pence') && /^\d+$/.test(value)) return formatMoney(Number(value), currency, 'en-GB');
  if (field.endsWith('_bps') && /^\d+$/.test(value)) return `${Number(value) / 100} %`;
  return value === 'true' ? 'yes' : value === 'false' ? 'no' : value;
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function phrasesOfHours(before: DirectoryObject, after: DirectoryObject): string[] {
  const on = (object: DirectoryObject, day: number) => {
    const hours = 'hours' in object ? object.hours : [];
    const spans = hours.filter((opening) => opening.day === day).map(({ opens, closes }) => `${opens}–${closes}`);
    return hours.length === 0 ? 'always open' : spans.join(', ') || 'closed';
  };
  return days.flatMap((name, index) => {
    const [was, is] = [on(before, index + 1), on(after, index + 1)];
    return was === is ? [] : [`hours on ${name} ${was} → ${is}`];
  });
}
