import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Me, Permission } from '../src/api/index.ts';
import type { IconName } from './components/icon.tsx';

/** A page of the console. */
export interface Route {
  /** Its path; `:storeId` is the store that is chosen. */
  readonly path: string;
  readonly title: string;
  readonly page: LazyExoticComponent<ComponentType>;
  /** Its picture in the navigation; absent: it is reached from other pages only. */
  readonly icon?: IconName;
  readonly area: 'Platform' | 'Shop' | 'Development';
  /** What the person needs besides; pages of the shop need a store. */
  readonly needs?: Permission;
}

/** Every page, in the order of the navigation. Each is a file of its own, loaded when it is first opened. */
export const routes: readonly Route[] = [
  {
    path: '/',
    title: 'Overview',
    area: 'Platform',
    needs: 'operator:read',
    icon: 'overview',
    page: lazy(() => import('./pages/operator/overview.tsx')),
  },
  {
    path: '/shop/:storeId/orders',
    title: 'Orders',
    area: 'Shop',
    icon: 'orders',
    page: lazy(() => import('./pages/shop/orders/orders-page.tsx')),
  },
  {
    path: '/shop/:storeId/queue',
    title: 'Queue',
    area: 'Shop',
    icon: 'queue',
    page: lazy(() => import('./pages/shop/queue/queue-page.tsx')),
  },
  {
    path: '/shop/:storeId/approvals',
    title: 'Approvals',
    area: 'Shop',
    icon: 'done',
    page: lazy(() => import('./pages/shop/customers/approvals-page.tsx')),
  },
  {
    path: '/shop/:storeId/customers/:customerId',
    title: 'Customer',
    area: 'Shop',
    page: lazy(() => import('./pages/shop/customers/customer-page.tsx')),
  },
  {
    path: '/shop/:storeId/money',
    title: 'Money',
    area: 'Shop',
    icon: 'money',
    page: lazy(() => import('./pages/shop/money/money-page.tsx')),
  },
  {
    path: '/sandbox',
    title: 'Sandbox',
    area: 'Development',
    icon: 'sandbox',
    page: lazy(() => import('./pages/sandbox/sandbox-page.tsx')),
  },
  { path: '/inbox', title: 'Inbox', area: 'Development', icon: 'inbox', page: lazy(() => import('./pages/sandbox/inbox-page.tsx')) },
];

/** Whether the person may open the page. The server decides for itself; this is what the navigation shows. */
export const mayOpen = ({ area, needs }: Route, { permissions, stores, development }: Me): boolean => {
  if (needs !== undefined && !permissions.includes(needs)) return false;
  return area === 'Shop' ? stores.length > 0 : area === 'Development' ? development : true;
};
