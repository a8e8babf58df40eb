import { expect, test } from '@jest/globals';
import { storeOf } from './parse-request.ts';

const [inPath, inQuery, inBody] = ['a', 'b', 'c'].map((id) => ({ store_id: id }));

test('the store of a request is the one in its path, else in its query, else in its body', () => {
  expect(storeOf({ params: inPath, query: inQuery, body: inBody })).toBe('a');
  expect(storeOf({ params: {}, query: inQuery, body: inBody })).toBe('b');
  expect(storeOf({ params: undefined, query: {}, body: inBody })).toBe('c');
});

test('a request without a store, or with one that is no text, names none', () => {
  expect(storeOf({ params: {}, query: undefined, body: { store_id: null } })).toBeUndefined();
  expect(storeOf({ params: { orderId: 'a' }, query: { store_id: 7 }, body: ['b'] })).toBeUndefined();
});
