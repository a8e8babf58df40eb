import { DirectoryFile, isWholeSteps, rulesOfCurrency } from '@corner/contracts';
import type { z } from 'zod';

/** Thrown when a directory file is not valid. Every fault is listed with its place in the file. */
export class DirectoryFaults extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `The directory has ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'DirectoryFaults';
    this.faults = faults;
  }
}

/** Parses directory data. Throws one {@link DirectoryFaults} that lists every fault. */
export function parseDirectory(content: unknown): DirectoryFile {
  const result = DirectoryFile.safeParse(content);
  if (!result.success) throw new DirectoryFaults(result.error.issues.flatMap((issue) => sentencesOf(issue, content)));
  const doubts = [...unknownIn(content, result.data), ...doublesIn(result.data), ...priceFaults(result.data)];
  if (doubts.length > 0) throw new DirectoryFaults(doubts);
  return result.data;
}

function sentencesOf(issue: z.core.$ZodIssue, content: unknown): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${placeOf([...issue.path, key])}: is not known here`);
  return [`${placeOf(issue.path)}: ${valueAt(content, issue.path) === undefined ? 'is required' : issue.message}`];
}

const valueAt = (content: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part], content);

/** `menus[0].items[2].price_pence`, as in JavaScript. */
function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place.replace(/^\./, '') || 'the file';
}

/** Finds fields that no snapshot has. A misspelled field would otherwise silently leave its default in force. */
function unknownIn(content: unknown, parsed: unknown, path: readonly PropertyKey[] = []): string[] {
  if (typeof content !== 'object' || content === null || typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(content).flatMap(([key, value]) => {
    const place = [...path, Array.isArray(content) ? Number(key) : key];
    if (!Object.hasOwn(parsed, key)) return [`${placeOf(place)}: is not known here`];
    return unknownIn(value, (parsed as Record<string, unknown>)[key], place);
  });
}

/** Finds entries that are valid by themselves but contradict each other: duplicates, and references to something absent. */
function doublesIn(file: DirectoryFile): string[] {
  const faults: string[] = [];
  const once = (list: keyof DirectoryFile, keys: readonly string[], name: string) => {
    const first = new Map<string, number>();
    for (const [index, key] of keys.entries()) {
      const before = first.get(key);
      if (before === undefined) first.set(key, index);
      else faults.push(`${list}[${index}].${name}: ${key} is in ${list}[${before}] already`);
    }
  };
  once(
    'stores',
    file.stores.map(({ id }) => id),
    'id',
  );
  once(
    'stores',
    file.stores.map(({ code }) => code.toUpperCase()),
    'code',
  );
  for (const list of ['menus', 'slots', 'programmes', 'floors'] as const)
    once(
      list,
      file[list].map(({ store_id }) => store_id),
      'store_id',
    );
  for (const list of ['bookings', 'customers', 'staff'] as const)
    once(
      list,
      file[list].map(({ id }) => id),
      'id',
    );
  for (const [at, { slots }] of file.slots.entries()) {
    for (const [index, slot] of slots.entries()) {
      if (!(Date.parse(slot.starts_at) < Date.parse(slot.ends_at)))
        faults.push(`slots[${at}].slots[${index}].ends_at: must be after starts_at`);
    }
  }
  for (const [at, { closures }] of file.stores.entries()) {
    for (const [index, { starts_at, ends_at }] of closures.entries()) {
      if (!(Date.parse(starts_at) < Date.parse(ends_at))) faults.push(`stores[${at}].closures[${index}].ends_at: must be after starts_at`);
    }
  }
  for (const [at, floor] of file.floors.entries()) {
    const known = new Set(floor.services.map(({ id }) => id));
    for (const [index, unit] of floor.units.entries()) {
      for (const [place, id] of unit.service_ids.entries()) {
        if (!known.has(id)) faults.push(`floors[${at}].units[${index}].service_ids[${place}]: ${id} is no service of this floor`);
      }
    }
  }
  return faults;
}

/** The connected accounts of the file's stores. */
export const accountsIn = ({ stores }: DirectoryFile): string[] => [
  ...new Set(stores.flatMap(({ connected_account_id }) => connected_account_id ?? [])),
];

/**
 * Finds prices, and amounts that a promo code or a reward takes off, that cannot be charged in the currency of their store: the last digit
 * of a currency with three decimals must be 0. The currency of a store that is not in the file is not known here.
 */
function priceFaults({ stores, menus, programmes }: DirectoryFile): string[] {
  const faults: string[] = [];
  const currencyOf = new Map(stores.map(({ id, currency }) => [id, currency]));
  const check = (place: string, storeId: string, pence: number) => {
    const currency = currencyOf.get(storeId);
    if (!currency || isWholeSteps(pence, currency)) return;
    faults.push(`${place}: must be a multiple of ${rulesOfCurrency(currency).step}, because the store's currency is ${currency}`);
  };
  for (const [at, { store_id, items, promos }] of menus.entries()) {
    for (const [index, { price_pence }] of items.entries()) check(`menus[${at}].items[${index}].price_pence`, store_id, price_pence);
    for (const [index, { kind, value }] of promos.entries()) {
      if (kind === 'amount') check(`menus[${at}].promos[${index}].value`, store_id, value);
    }
  }
  for (const [at, { store_id, reward }] of programmes.entries()) {
    if (reward.kind === 'amount') check(`programmes[${at}].reward.value`, store_id, reward.value);
  }
  return faults;
}
