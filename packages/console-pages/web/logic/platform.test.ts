import { expect, test } from '@jest/globals';
import { filled, pathTo } from './platform.ts';

test('parameters of the path stand in it, and all others are its query, but for those that are undefined', () => {
  expect(pathTo('/api/v1/orders/{orderId}', { orderId: 'a/b', store_id: 's 1' })).toBe('/api/v1/orders/a%2Fb?store_id=s+1');
  expect(pathTo('/api/v1/orders', { store_id: 's', limit: 5, q: undefined })).toBe('/api/v1/orders?store_id=s&limit=5');
  expect(filled('/api/v1/queue/stores/{store_id}/clear', { store_id: 's' })).toBe('/api/v1/queue/stores/s/clear');
});
