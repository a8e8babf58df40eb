import type { components } from '@corner/client';
import { kept } from '@corner/page-kit/browser/storage';
import { useEffect } from 'preact/hooks';
import { type Read, useRead } from '../session/use-read.ts';

export type Store = components['schemas']['Store'];

const lastName = 'corner.store';

/** Reads the store of a public code. `store` is null when there is none with this code, and undefined while that is not known. */
export function useStore(code: string): Omit<Read<unknown>, 'data'> & { readonly store: Store | null | undefined } {
  const { data, ...read } = useRead('/api/v1/orders/stores', { params: { query: { code } } }, { keep: true });
  const store = data && (data.stores[0] ?? null);
  useEffect(() => {
    if (store) kept.setItem(lastName, store.code);
  }, [store?.code]);
  return { ...read, store };
}

/** The code of the store that was opened last in this browser; undefined when none was. Pages of an order, which name no store, use it. */
export const lastStoreCode = (): string | undefined => kept.getItem(lastName) ?? undefined;
