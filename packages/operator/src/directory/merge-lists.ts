import { type DirectoryFile, isPlain, menuEntriesOf, plainPrice } from '@corner/contracts';
import type { Caller } from '../call-service.ts';
import { readDirectory } from './import-directory.ts';
import { readCustomers } from './read-customers.ts';
import { readMenu } from './read-menu.ts';

type Store = DirectoryFile['stores'][number];
type Menu = DirectoryFile['menus'][number];

export interface MergedList {
  readonly content: object;
  readonly said: readonly string[];
}

export function mergeMenu(text: string, store: Store, menu: Menu | undefined): MergedList {
  const { items, reading } = readMenu(text, store.currency);
  const known = menu?.items ?? [];
  const listed = new Map(menuEntriesOf(items, known).map((item) => [item.id, item]));
  const kept = known.map((item) => ({ ...item, ...listed.get(item.id) }));
  const ids = new Set(known.map(({ id }) => id));
  const added = [...listed.values()].filter(({ id }) => !ids.has(id));
  const content = { menus: [{ ...(menu ?? { store_id: store.id }), items: [...kept, ...added] }] };
  const prices = items
    .filter(({ written, price_pence }) => !isPlain(written, price_pence, store.currency))
    .map(
      ({ line, name, written, price_pence }) => `line ${line}: ${name} at ${plainPrice(price_pence, store.currency)}, from “${written}”`,
    );
  return { content, said: [...(reading === null ? [] : [reading]), ...prices] };
}

const page = 500;

/** Returns the customers of a list. Known customers keep the fields that their lines do not name. */
export async function mergeCustomers(call: Caller, by: string, text: string): Promise<MergedList> {
  const listed = readCustomers(text);
  const customers: object[] = [];
  for (let from = 0; from < listed.length; from += page) {
    const some = listed.slice(from, from + page);
    const known = await readDirectory(call, { by, customer_ids: some.map(({ id }) => id) });
    const before = new Map(known.customers.map((customer) => [customer.id, customer]));
    customers.push(...some.map((line) => ({ ...before.get(line.id), ...withoutNulls(line) })));
  }
  return { content: { customers }, said: [] };
}

const withoutNulls = (line: object): object => Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
