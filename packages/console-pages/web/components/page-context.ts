import type { Me, Permission } from '@corner/console-api';
import { createContext, useContext } from 'react';

export type LiveState = 'off' | 'connecting' | 'live' | 'lost';

export interface PageContext {
  readonly me: Me;
  readonly params: Readonly<Record<string, string>>;
  readonly live: LiveState;
  readonly places: ReadonlyMap<string, string>;
}

export const Context = createContext<PageContext | undefined>(undefined);

export function usePage(): PageContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('a page is shown by the frame only');
  return context;
}

export const useMay = (permission: Permission): boolean => usePage().me.permissions.includes(permission);

export function useStore(): Me['stores'][number] {
  const { me, params } = usePage();
  const store = me.stores.find(({ id }) => id === params.storeId);
  if (store === undefined) throw new Error('the route has no store of this person');
  return store;
}
