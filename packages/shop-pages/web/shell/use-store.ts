import type { components } from '@corner/client';
import { kept } from '@corner/page-kit/browser/storage';
import { useEffect } from 'preact/hooks';
import { type Read, useRead } from '../session/use-read.ts';
import { lastStoreName } from '../ui/notice.tsx';

export type Store = components['schemas']['Store'];

/** `store` is null when there is none with this code, and undefined while unknown. */
export function useStore(code: string): Omit<Read<unknown>, 'data'> & { readonly store: Store | null | undefined } {
  const { data, ...read } = useRead('/api/v1/orders/stores', { params: { query: { code } } }, { keep: true });
  const store = data && (data.stores[0] ?? null);
  useEffect(() => {
    if (store) kept.setItem(lastStoreName, store.code);
  }, [store?.code]);
  return { ...read, store };
}

export const lastStoreCode = (): string | undefined => kept.getItem(lastStoreName) ?? undefined;
