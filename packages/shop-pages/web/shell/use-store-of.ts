import { useRead } from '../session/use-read.ts';
import { lastStoreCode, type Store, useStore } from './use-store.ts';

/** Reads the store with an id, such as that of an order: mostly it is the last one that was opened. Undefined while unknown. */
export function useStoreOf(storeId: string | undefined): Store | undefined {
  const { store } = useStore(lastStoreCode() ?? '-');
  const other = storeId !== undefined && store !== undefined && store?.id !== storeId ? storeId : null;
  // By its menu, since not every store is in the list of stores.
  const path = '/api/v1/orders/stores/{store_id}/menu';
  const { data } = useRead(path, other === null ? null : { params: { path: { store_id: other } } }, { keep: true, live: false });
  return other === null ? (store ?? undefined) : data?.store;
}
