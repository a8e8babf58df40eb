import type { DirectoryFile } from '@corner/contracts';
import type { Caller } from '../call-service.ts';
import { readDirectory } from './import-directory.ts';
import { readCustomers } from './read-customers.ts';
import { readMenu } from './read-menu.ts';

type Store = DirectoryFile['stores'][number];
type Menu = DirectoryFile['menus'][number];

/** Returns the store's menu with the items of a list: new ones at its end, known ones with the name and price of the list. */
export function mergeMenu(text: string, store: Store, menu: Menu | undefined): { readonly menus: readonly object[] } {
  const listed = new Map(readMenu(text, store.currency).map((item) => [item.id, item]));
  const kept = (menu?.items ?? []).map((item) => ({ ...item, ...listed.get(item.id) }));
  const known = new Set(kept.map(({ id }) => id));
  const added = [...listed.values()].filter(({ id }) => !known.has(id));
  return { menus: [{ ...(menu ?? { store_id: store.id }), items: [...kept, ...added] }] };
}

/** Customers in one call, the most that the RPC allows. */
const page = 500;

/** Returns the customers of a list. Those that the directory has keep what their lines do not name. */
export async function mergeCustomers(call: Caller, by: string, text: string): Promise<{ readonly customers: readonly object[] }> {
  const listed = readCustomers(text);
  const customers: object[] = [];
  for (let from = 0; from < listed.length; from += page) {
    const some = listed.slice(from, from + page);
    const known = await readDirectory(call, { by, customer_ids: some.map(({ id }) => id) });
    const before = new Map(known.customers.map((customer) => [customer.id, customer]));
    customers.push(...some.map((line) => ({ ...before.get(line.id), ...withoutNulls(line) })));
  }
  return { customers };
}

const withoutNulls = (line: object): object => Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
