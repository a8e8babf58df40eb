import { DirectoryFile, isWholeSteps, rulesOfCurrency } from '@corner/contracts';
import type { z } from 'zod';

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

/** Throws one {@link DirectoryFaults} that lists every fault with its place in the file. */
export function parseDirectory(content: unknown): DirectoryFile {
  const result = DirectoryFile.safeParse(content);
  if (!result.success) throw new DirectoryFaults(result.error.issues.flatMap((issue) => sentencesOf(issue, content)));
  const doubts = [...unknownIn(content, result.data), ...contradictionsIn(result.data), ...priceFaults(result.data)];
  if (doubts.length > 0) throw new DirectoryFaults(doubts);
  return result.data;
}

function sentencesOf(issue: z.core.$ZodIssue, content: unknown): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${placeOf([...issue.path, key])}: is not known here`);
  return [`${placeOf(issue.path)}: ${valueAt(content, issue.path) === undefined ? 'is required' : issue.message}`];
}

const valueAt = (content: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part], content);

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

const contradictionsIn = (file: DirectoryFile): string[] => [
  ...doubles(
    'stores',
    'id',
    file.stores.map(({ id }) => id),
  ),
  ...doubles(
    'stores',
    'code',
    file.stores.map(({ code }) => code.toUpperCase()),
  ),
  ...(['menus', 'slots', 'programmes', 'floors'] as const).flatMap((list) =>
    doubles(
      list,
      'store_id',
      file[list].map(({ store_id }) => store_id),
    ),
  ),
  ...(['bookings', 'customers', 'staff'] as const).flatMap((list) =>
    doubles(
      list,
      'id',
      file[list].map(({ id }) => id),
    ),
  ),
  ...file.slots.flatMap(({ slots }, at) => wrongTimes(`slots[${at}].slots`, slots)),
  ...file.stores.flatMap(({ closures }, at) => wrongTimes(`stores[${at}].closures`, closures)),
  ...file.floors.flatMap(unknownServices),
  ...sharedStoreFaults(file),
];

function doubles(list: keyof DirectoryFile, name: string, keys: readonly string[]): string[] {
  const first = new Map(keys.map((key, index) => [key, index] as const).reverse());
  return keys.flatMap((key, index) =>
    first.get(key) === index ? [] : [`${list}[${index}].${name}: ${key} is in ${list}[${first.get(key)}] already`],
  );
}

const wrongTimes = (place: string, times: readonly { readonly starts_at: string; readonly ends_at: string }[]): string[] =>
  times.flatMap(({ starts_at, ends_at }, index) =>
    Date.parse(starts_at) < Date.parse(ends_at) ? [] : [`${place}[${index}].ends_at: must be after starts_at`],
  );

function unknownServices({ services, units }: DirectoryFile['floors'][number], at: number): string[] {
  const known = new Set(services.map(({ id }) => id));
  return units.flatMap(({ service_ids }, index) =>
    service_ids.flatMap((id, place) =>
      known.has(id) ? [] : [`floors[${at}].units[${index}].service_ids[${place}]: ${id} is no service of this floor`],
    ),
  );
}

/**
 * A store may be in one programme of others, which takes precedence over its own. The stores of a programme share a currency, so that a
 * reward is worth the same at each.
 */
function sharedStoreFaults({ stores, programmes }: DirectoryFile): string[] {
  const currencyOf = new Map(stores.map(({ id, currency }) => [id, currency]));
  const homeOf = new Map<string, string>();
  return programmes.flatMap(({ store_id: home, store_ids }, at) =>
    store_ids.flatMap((id, index) => {
      const place = `programmes[${at}].store_ids[${index}]`;
      const other = homeOf.get(id);
      homeOf.set(id, home);
      const [here, there] = [currencyOf.get(home), currencyOf.get(id)];
      return [
        ...(other === undefined ? [] : [`${place}: ${id} is in the programme of ${other} already`]),
        ...(here && there && here !== there ? [`${place}: the currency of ${id} is ${there}, that of the programme’s home ${here}`] : []),
      ];
    }),
  );
}

export const accountsIn = ({ stores }: DirectoryFile): string[] => [
  ...new Set(stores.flatMap(({ connected_account_id }) => connected_account_id ?? [])),
];

/** The last digit of an amount in a currency with three decimals must be 0. Stores that are not in the file are skipped. */
function priceFaults({ stores, menus, programmes }: DirectoryFile): string[] {
  const faults: string[] = [];
  const currencyOf = new Map(stores.map(({ id, currency }) => [id, currency]));
  const check = (place: string, storeId: string, pence: number) => {
    const currency = currencyOf.get(storeId);
    if (!currency || isWholeSteps(pence, currency)) return;
    faults.push(`${place}: must be a multiple of ${rulesOfCurrency(currency).step}, because the store's currency is ${currency}`);
  };
  for (const [at, { store_id, items, promos }] of menus.entries()) {
    for (const [index, { price_pence, options }] of items.entries()) {
      const item = `menus[${at}].items[${index}]`;
      check(`${item}.price_pence`, store_id, price_pence);
      for (const [o, { choices }] of options.entries())
        for (const [c, choice] of choices.entries()) check(`${item}.options[${o}].choices[${c}].price_pence`, store_id, choice.price_pence);
    }
    for (const [index, { kind, value }] of promos.entries()) {
      if (kind === 'amount') check(`menus[${at}].promos[${index}].value`, store_id, value);
    }
  }
  for (const [at, { store_id, reward }] of programmes.entries()) {
    if (reward.kind === 'amount') check(`programmes[${at}].reward.value`, store_id, reward.value);
  }
  return faults;
}
