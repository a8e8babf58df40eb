import { lazy } from 'react';
import { needsDirectory, type SectionPath, titleOf } from './pages/shop/settings/sections.ts';
import { invitationPath } from './shell/invitation.ts';
import type { Route } from './shell/route.ts';

const operator = (title: string) => ({ title, area: 'Platform', needs: 'operator:read' }) as const;
const shop = (path: string, title: string) => ({ path: `/shop/:storeId/${path}`, title, area: 'Shop' }) as const;

const sectionPages: Readonly<Record<SectionPath, Route['page']>> = {
  store: lazy(() => import('./pages/shop/settings/store-section.tsx')),
  address: lazy(() => import('./pages/shop/settings/address/address-section.tsx')),
  hours: lazy(() => import('./pages/shop/settings/hours/hours-section.tsx')),
  orders: lazy(() => import('./pages/shop/settings/orders-section.tsx')),
  payments: lazy(() => import('./pages/shop/settings/payments/payments-section.tsx')),
  contacts: lazy(() => import('./pages/shop/settings/contacts-section.tsx')),
  webhooks: lazy(() => import('./pages/shop/settings/webhooks/webhooks-section.tsx')),
  menu: lazy(() => import('./pages/shop/settings/menu/menu-section.tsx')),
  promos: lazy(() => import('./pages/shop/settings/menu/promos-section.tsx')),
  slots: lazy(() => import('./pages/shop/settings/slots/slots-section.tsx')),
  floor: lazy(() => import('./pages/shop/settings/floor/floor-section.tsx')),
  card: lazy(() => import('./pages/shop/settings/card/card-section.tsx')),
  tags: lazy(() => import('./pages/shop/settings/card/tags-section.tsx')),
  people: lazy(() => import('./pages/shop/settings/people/people-section.tsx')),
};
const settings = Object.entries(sectionPages).map(
  ([path, page]): Route => ({
    ...shop(`settings/${path}`, titleOf(path)),
    managers: true,
    directory: needsDirectory(path),
    page,
  }),
);

export const routes: readonly Route[] = [
  { ...operator('Overview'), path: '/', icon: 'overview', page: lazy(() => import('./pages/operator/overview-page.tsx')) },
  { ...operator('Story'), path: '/story', icon: 'story', page: lazy(() => import('./pages/operator/story-search-page.tsx')) },
  { ...operator('Story'), path: '/story/:id', page: lazy(() => import('./pages/operator/story-page.tsx')) },
  {
    ...operator('Dead letters'),
    path: '/dead-letters',
    icon: 'letters',
    page: lazy(() => import('./pages/operator/dead-letters-page.tsx')),
  },
  { ...operator('Dead letter'), path: '/dead-letters/:service/:id', page: lazy(() => import('./pages/operator/dead-letter-page.tsx')) },
  { ...operator('Streams'), path: '/streams', icon: 'streams', page: lazy(() => import('./pages/operator/streams-page.tsx')) },
  { ...operator('Messages'), path: '/messages', icon: 'messages', page: lazy(() => import('./pages/operator/messages-page.tsx')) },
  { ...operator('System'), path: '/system', icon: 'system', page: lazy(() => import('./pages/operator/system-page.tsx')) },
  {
    ...shop('orders', 'Orders'),
    staysConnected: true,
    icon: 'orders',
    page: lazy(() => import('./pages/shop/orders/orders-page.tsx')),
  },
  {
    ...shop('orders/board', 'Board'),
    staysConnected: true,
    isBare: true,
    page: lazy(() => import('./pages/shop/orders/board/board-page.tsx')),
  },
  {
    ...shop('sell', 'Sell'),
    isBare: true,
    icon: 'add',
    page: lazy(() => import('./pages/shop/sell/sell-page.tsx')),
  },
  {
    ...shop('menu', 'Menu'),
    icon: 'menu-card',
    page: lazy(() => import('./pages/shop/menu/menu-page.tsx')),
  },
  {
    ...shop('queue', 'Queue'),
    icon: 'queue',
    page: lazy(() => import('./pages/shop/queue/queue-page.tsx')),
  },
  {
    ...shop('diary', 'Diary'),
    directory: true,
    icon: 'diary',
    page: lazy(() => import('./pages/shop/diary/diary-page.tsx')),
  },
  {
    ...shop('log', 'Log'),
    icon: 'story',
    page: lazy(() => import('./pages/shop/log-page.tsx')),
  },
  {
    ...shop('approvals', 'Approvals'),
    icon: 'done',
    page: lazy(() => import('./pages/shop/customers/approvals-page.tsx')),
  },
  {
    ...shop('customers', 'Customers'),
    icon: 'customer',
    page: lazy(() => import('./pages/shop/customers/customers-page.tsx')),
  },
  {
    ...shop('customers/:customerId', 'Customer'),
    page: lazy(() => import('./pages/shop/customers/customer-page.tsx')),
  },
  {
    ...shop('campaigns', 'Campaigns'),
    managers: true,
    icon: 'messages',
    page: lazy(() => import('./pages/shop/campaigns/campaigns-page.tsx')),
  },
  {
    ...shop('printers', 'Printers'),
    icon: 'printer',
    page: lazy(() => import('./pages/shop/printers/printers-page.tsx')),
  },
  {
    ...shop('money', 'Money'),
    managers: true,
    icon: 'money',
    page: lazy(() => import('./pages/shop/money/money-page.tsx')),
  },
  {
    ...shop('proof', 'Proof'),
    managers: true,
    page: lazy(() => import('./pages/shop/money/proof-page.tsx')),
  },
  {
    ...shop('settings', 'Settings'),
    managers: true,
    icon: 'settings',
    page: lazy(() => import('./pages/shop/settings/settings-home.tsx')),
  },
  ...settings,
  { path: '/open', title: 'Open a shop', area: 'Shop', opens: true, icon: 'add', page: lazy(() => import('./pages/open/open-page.tsx')) },
  { path: invitationPath, title: 'Invitation', area: 'Platform', page: lazy(() => import('./pages/invitation/invitation-page.tsx')) },
  {
    path: '/sandbox',
    title: 'Sandbox',
    area: 'Development',
    icon: 'sandbox',
    page: lazy(() => import('./pages/sandbox/sandbox-page.tsx')),
  },
  { path: '/inbox', title: 'Inbox', area: 'Development', icon: 'inbox', page: lazy(() => import('./pages/sandbox/inbox-page.tsx')) },
];
