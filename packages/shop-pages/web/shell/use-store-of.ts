import { useRead } from '../session/use-read.ts';
import { lastStoreCode, type Store, useStore } from './use-store.ts';

export function useStoreOf(storeId: string | undefined): Store | undefined {
  const { store } = useStore(lastStoreCode() ?? '-');
  const other = storeId !== undefined && store !== undefined && store?.id !== storeId ? storeId : null;
  const path = '/api/v1/orders/stores/{store_id}/menu';
  const { data } = useRead(path, other === null ? null : { params: { path: { store_id: other } } }, { keep: true, live: false });
  return other === null ? (store ?? undefined) : data?.store;
}
