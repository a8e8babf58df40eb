import type { Me, Permission } from '@corner/console-api';
import { type ComponentType, createContext, type LazyExoticComponent } from 'react';
import type { IconName } from '../components/icon.tsx';
import { isOfStore, pathOf } from '../logic/match-route.ts';
import { nameOfPlace } from '../logic/places.ts';
import { manages } from '../logic/roles.ts';

/** A page of the console. */
export interface Route {
  /** Its path; `:storeId` is the store that is chosen. */
  readonly path: string;
  readonly title: string;
  readonly page: LazyExoticComponent<ComponentType>;
  /** Its picture in the navigation; absent: it is reached from other pages only. */
  readonly icon?: IconName;
  readonly area: 'Platform' | 'Shop' | 'Development';
  /** Whether changes arrive in a hidden tab too. Other pages disconnect, since a browser allows few connections to one host. */
  readonly staysConnected?: true;
  /** A permission that the person needs; pages of the shop need a store too. */
  readonly needs?: Permission;
  /** Whether it fills the screen: without the bar and the navigation. */
  readonly isBare?: true;
  /** Whether the person must manage or own the store. */
  readonly managers?: true;
  /** Whether it changes what the directory service has, which a deployment may leave out. */
  readonly directory?: boolean;
  /** Whether it is for people who may open a shop. */
  readonly opens?: true;
}

/** Every page, in the order of the navigation. */
export const Routes = createContext<readonly Route[]>([]);

/**
 * Returns whether the navigation shows the page to the person. `store` is the one that is chosen, or else the person's first. The server decides
 * for itself.
 */
export const mayOpen = (
  { area, needs, managers, opens, directory = false }: Route,
  { permissions, stores, development, opens_shops, directory: runs }: Me,
  store = stores[0],
): boolean => {
  if (opens) return opens_shops;
  if (directory && !runs) return false;
  if (needs !== undefined && !permissions.includes(needs)) return false;
  if (area === 'Shop') return store !== undefined && (!managers || manages(store.role));
  return area === 'Development' ? development : true;
};

/** The pages of a store that a sentence may name, by their names, with their addresses: those that the person may open. Without a store none. */
export const placesOf = (routes: readonly Route[], me: Me, store: Me['stores'][number] | undefined): ReadonlyMap<string, string> =>
  new Map(
    routes
      .filter((route) => store && route.area === 'Shop' && isOfStore(route.path) && mayOpen(route, me, store))
      .map((route) => [nameOfPlace(route), pathOf(route.path, { storeId: store?.id ?? '' })]),
  );
