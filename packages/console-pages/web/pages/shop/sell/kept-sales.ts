import { keptList } from '@corner/page-kit/browser/kept-list';
import type { keptIn } from '@corner/page-kit/browser/storage';
import type { KeptSale } from './waiting.ts';

/** Ids of ended sales are stored, because another tab may still have these sales. */
const mostEnded = 2_000;
const isKept = (sale: Partial<KeptSale> | null): boolean =>
  [sale?.id, sale?.by, sale?.at, sale?.key].every((field) => typeof field === 'string') &&
  typeof sale?.body === 'object' &&
  Array.isArray(sale.prices);

/**
 * Keeps sales for all tabs of a browser, the oldest first. None is dropped to make room: those that the browser does not store last as long
 * as the page.
 */
export function keptSales(storage: ReturnType<typeof keptIn>, storeId: string) {
  const name = `sales ${storeId}`;
  const list = keptList<KeptSale>(storage, name, Number.POSITIVE_INFINITY, isKept);
  const ended = keptList<string>(storage, `ended sales ${storeId}`, mostEnded, (id) => typeof id === 'string');
  const find = (id: string) => list.read().find((one) => one.id === id);
  const store = (sale: KeptSale): void => {
    if (find(sale.id)) list.change(({ id }) => id === sale.id, sale);
    else if (!ended.read().includes(sale.id)) list.add(sale);
  };
  return {
    read: (): readonly KeptSale[] => list.read().toReversed(),
    store,
    /** Returns null once the sale has ended in any tab. One that the browser has lost is stored again. */
    latest(sale: KeptSale): KeptSale | null {
      const found = find(sale.id);
      if (found) return found;
      store(sale);
      return find(sale.id) ?? null;
    },
    end(id: string): void {
      ended.write([id, ...ended.read()]);
      list.write(list.read().filter((sale) => sale.id !== id));
    },
    isStored: (): boolean => storage.isStored(name),
  };
}
