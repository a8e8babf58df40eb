import type { Me, Permission } from '@corner/console-api';
import { type ComponentType, createContext, type LazyExoticComponent } from 'react';
import type { IconName } from '../components/icon.tsx';
import { isOfStore, pathOf } from '../logic/match-route.ts';
import { nameOfPlace } from '../logic/places.ts';
import { manages } from '../logic/roles.ts';

/**
 * `:storeId` of the path is the chosen store. Without an `icon` it is not in the navigation. `isBare` fills the screen: without the bar and
 * the navigation. `needs` is a permission; pages of the shop need a store too, and `managers` a manager or owner of it. `directory` pages
 * change objects of the directory service, which a deployment may leave out. `opens` is for people who may open a shop.
 */
export interface Route {
  readonly path: string;
  readonly title: string;
  readonly page: LazyExoticComponent<ComponentType>;
  readonly icon?: IconName;
  readonly area: 'Platform' | 'Shop' | 'Development';
  /** Changes arrive in a hidden tab too. Other pages disconnect, since a browser allows few connections to one host. */
  readonly staysConnected?: true;
  readonly needs?: Permission;
  readonly isBare?: true;
  readonly managers?: true;
  readonly directory?: boolean;
  readonly opens?: true;
}

export const Routes = createContext<readonly Route[]>([]);

/** `store` is the chosen one, or else the person's first. The server decides for itself. */
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

export const placesOf = (routes: readonly Route[], me: Me, store: Me['stores'][number] | undefined): ReadonlyMap<string, string> =>
  new Map(
    routes
      .filter((route) => store && route.area === 'Shop' && isOfStore(route.path) && mayOpen(route, me, store))
      .map((route) => [nameOfPlace(route), pathOf(route.path, { storeId: store?.id ?? '' })]),
  );
