import type { Me, Permission } from '@corner/console-api';
import { createContext, useContext } from 'react';

/** The state of the stream of changes: `connecting` at first, and `lost` when it has been away for a while. */
export type LiveState = 'off' | 'connecting' | 'live' | 'lost';

/** The context of every page. */
export interface PageContext {
  readonly me: Me;
  /** The values of the route's `:parameters`. */
  readonly params: Readonly<Record<string, string>>;
  /** Whether changes arrive. */
  readonly live: LiveState;
  /** The addresses of the pages that a sentence may name, and that the person may open. */
  readonly places: ReadonlyMap<string, string>;
}

export const Context = createContext<PageContext | undefined>(undefined);

/** The person who is signed in, and the parameters of the route. */
export function usePage(): PageContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('a page is shown by the frame only');
  return context;
}

/** Returns whether the person has a permission of operators. */
export const useMay = (permission: Permission): boolean => usePage().me.permissions.includes(permission);

/** The store of a page of the shop, from its path. */
export function useStore(): Me['stores'][number] {
  const { me, params } = usePage();
  const store = me.stores.find(({ id }) => id === params.storeId);
  if (store === undefined) throw new Error('the route has no store of this person');
  return store;
}
