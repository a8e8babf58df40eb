import { useRead } from '../session/use-read.ts';
import { lastStoreCode, type Store, useStore } from './use-store.ts';

/** Reads the store with an id, such as that of an order: mostly it is the one that was opened last. Undefined while it is not known. */
export function useStoreOf(storeId: string | undefined): Store | undefined {
  const { store } = useStore(lastStoreCode() ?? '-');
  const isOther = storeId !== undefined && store !== undefined && store?.id !== storeId;
  const { data } = useRead('/api/v1/orders/stores', isOther ? { params: { query: { limit: 100 } } } : null, { keep: true });
  return isOther ? data?.stores.find(({ id }) => id === storeId) : (store ?? undefined);
}
