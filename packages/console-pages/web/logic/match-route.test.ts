import { expect, test } from '@jest/globals';
import { isOfStore, matchRoute, pathOf } from './match-route.ts';

const routes = [{ path: '/' }, { path: '/story/:id' }, { path: '/shop/:storeId/orders' }] as const;

test.each([
  ['/', '/', {}],
  ['/story/0198', '/story/:id', { id: '0198' }],
  ['/story/a%2Fb/', '/story/:id', { id: 'a/b' }],
  ['/story/%', '/story/:id', { id: '%' }],
  ['/shop/s1/orders', '/shop/:storeId/orders', { storeId: 's1' }],
])('%s is the page %s', (path, pattern, params) => {
  expect(matchRoute(routes, path)).toEqual({ route: { path: pattern }, params });
});

test.each(['/story', '/story/a/b', '/shop/s1/queue'])('%s is no page', (path) => {
  expect(matchRoute(routes, path)).toBeUndefined();
});

test('a path is made of a pattern and values, and read back', () => {
  const path = pathOf('/story/:id', { id: 'pi_3/ä' });
  expect(matchRoute(routes, path)?.params).toEqual({ id: 'pi_3/ä' });
});

test('a path that names nothing but the store can be opened once the store is known', () => {
  expect(['/open', '/shop/:storeId/settings/hours', '/shop/:storeId/customers/:customerId'].map(isOfStore)).toEqual([true, true, false]);
});
