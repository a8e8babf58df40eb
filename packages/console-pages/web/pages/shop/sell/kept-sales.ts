import { keptList } from '@corner/page-kit/browser/kept-list';
import type { keptIn } from '@corner/page-kit/browser/storage';
import type { KeptSale } from './waiting.ts';

/** The most ids of ended sales that are kept: another tab may still have these sales. */
const mostEnded = 2_000;
const isKept = (sale: Partial<KeptSale> | null): boolean =>
  [sale?.id, sale?.by, sale?.at, sale?.key].every((field) => typeof field === 'string') &&
  typeof sale?.body === 'object' &&
  Array.isArray(sale.prices);

/** The sales of a store that wait in a browser, for all its tabs. None is dropped to make room: what the browser does not take lasts as long as the page. */
export function keptSales(storage: ReturnType<typeof keptIn>, storeId: string) {
  const name = `sales ${storeId}`;
  const list = keptList<KeptSale>(storage, name, Number.POSITIVE_INFINITY, isKept);
  const ended = keptList<string>(storage, `ended sales ${storeId}`, mostEnded, (id) => typeof id === 'string');
  const find = (id: string) => list.read().find((one) => one.id === id);
  /** Writes a sale that has not ended. */
  const store = (sale: KeptSale): void => {
    if (find(sale.id)) list.change(({ id }) => id === sale.id, sale);
    else if (!ended.read().includes(sale.id)) list.add(sale);
  };
  return {
    /** The oldest first. */
    read: (): readonly KeptSale[] => list.read().toReversed(),
    store,
    /** Returns a sale as the tabs have it by now; null once it has ended in one of them. One that the browser has lost is stored again. */
    latest(sale: KeptSale): KeptSale | null {
      const found = find(sale.id);
      if (found) return found;
      store(sale);
      return find(sale.id) ?? null;
    },
    /** Ends a sale: it was recorded, or a person dropped it. */
    end(id: string): void {
      ended.write([id, ...ended.read()]);
      list.write(list.read().filter((sale) => sale.id !== id));
    },
    /** Whether the browser's storage holds all of them. */
    isStored: (): boolean => storage.isStored(name),
  };
}
