import { type DirectoryObject, type ObjectKind, objectSchemas } from '@corner/contracts';
import { twinCodes } from './twin-codes.ts';
import { newLineFaults, valueFaults } from './value-faults.ts';

/** The most entries of each list, as a page can show and a snapshot can carry them. */
const limits: Readonly<Record<string, number>> = {
  'menu.items': 500,
  'menu.promos': 200,
  'slots.slots': 1_000,
  'programme.tags': 100,
  'floor.services': 100,
  'floor.units': 100,
  'customer.push_devices': 20,
  'customer.memberships': 500,
  'staff.stores': 200,
  'staff.cards': 100,
  'staff.revoked_sessions': 500,
  'store.hours': 28,
};

/**
 * Returns an object as its schema reads it, and a sentence for each fault: its place, by the ids of entries, and the fault. `typed` is for
 * a change that people make: names that it brings must be plain lines.
 */
export function findFaults(
  kind: ObjectKind,
  object: unknown,
  typed?: { readonly before: object | null },
): { readonly data: DirectoryObject | null; readonly faults: readonly string[] } {
  const parsed = objectSchemas[kind].safeParse(object);
  if (!parsed.success) return { data: null, faults: parsed.error.issues.map((issue) => describe(object, issue)) };
  const data = parsed.data as DirectoryObject;
  const named = (path: readonly PropertyKey[]) => nameOf(data, path);
  const values = [...valueFaults(data, named), ...(typed ? newLineFaults(data, typed.before, named) : [])];
  return { data, faults: [...listFaults(kind, data), ...values, ...(ownFaults[kind]?.(data as never) ?? [])] };
}

type Issue = NonNullable<ReturnType<typeof objectSchemas.store.safeParse>['error']>['issues'][number];

function describe(object: unknown, { path, message, code }: Issue): string {
  const missing = code === 'invalid_type' && message.endsWith('received undefined');
  return `${nameOf(object, path)}: ${missing ? 'is required' : message}`;
}

/** Lists whose entries are found by a token, which no message may show. */
const secretLists = ['push_devices', 'cards'];

/** Returns the path to a field, an entry of a list by its key: `items.flat-white.price_pence`. */
function nameOf(object: unknown, path: readonly PropertyKey[]): string {
  let here: unknown = object;
  return path
    .map((step, index) => {
      here = (here as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step];
      const isHidden = secretLists.includes(String(path[index - 1]));
      return typeof step === 'number' && !isHidden ? (keyOf(here) ?? step) : String(step);
    })
    .join('.');
}

/** Returns the key of an entry of a list; null for one without a key. The token of a card or of a device is a secret, and no key. */
export function keyOf(entry: unknown): string | null {
  const { id, uid, store_id, token_id, platform } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  const key = token_id === undefined && platform === undefined ? (uid ?? id ?? store_id) : null;
  return typeof key === 'string' ? key : null;
}

function listFaults(kind: ObjectKind, object: DirectoryObject): string[] {
  return Object.entries(object).flatMap(([field, entries]: [string, unknown]) => {
    if (!Array.isArray(entries)) return [];
    const most = limits[`${kind}.${field}`] ?? Number.POSITIVE_INFINITY;
    return [
      ...(entries.length > most ? [`${field}: has ${entries.length} entries, and may have ${most}`] : []),
      ...repeated(entries.map((entry) => keyOf(entry)?.toLowerCase())).map((key) => `${field}.${key}: is there twice`),
    ];
  });
}

const repeated = (keys: readonly (string | undefined)[]): string[] => [
  ...new Set(keys.filter((key, index): key is string => key !== undefined && keys.indexOf(key) !== index)),
];

const ownFaults: { readonly [K in ObjectKind]?: (object: DirectoryObject<K>) => readonly string[] } = {
  store: ({ closures, time_zone }) => [
    ...spanFaults('closures', closures),
    // Postgres reads the sign of an offset the other way round, and accepts few offsets.
    ...(/^[+-]/.test(time_zone) ? ['time_zone: must be the name of a zone such as Europe/London, and not an offset'] : []),
  ],
  menu: ({ promos }) => [
    ...twinCodes(promos),
    ...promos.flatMap(({ id, starts_at, ends_at }) => (starts_at && ends_at ? spanFaults(`promos.${id}`, [{ starts_at, ends_at }]) : [])),
  ],
  slots: ({ slots }) => slots.flatMap((slot) => spanFaults(`slots.${slot.id}`, [slot])),
  floor: ({ services, units }) =>
    units.flatMap(({ id, service_ids, shifts, breaks }) => [
      ...service_ids
        .filter((wanted) => !services.some((service) => service.id === wanted))
        .map((wanted) => `units.${id}.service_ids: the store has no service ${wanted}`),
      ...spanFaults(`units.${id}.shifts`, shifts),
      ...spanFaults(`units.${id}.breaks`, breaks),
    ]),
  booking: (booking) => spanFaults('', [booking]),
};

function spanFaults(path: string, spans: readonly { readonly starts_at: string; readonly ends_at: string }[]): string[] {
  const prefix = path === '' ? '' : `${path}.`;
  return spans.some(({ starts_at, ends_at }) => Date.parse(ends_at) <= Date.parse(starts_at))
    ? [`${prefix}ends_at: must be after starts_at`]
    : [];
}
