import { expect, test } from '@jest/globals';
import { type Choice, choicesFor, mayBeId, withRecent } from './choices.ts';

const pages: readonly Choice[] = [
  { title: 'Streams', href: '/streams', kind: 'page' },
  { title: 'Dead letters', href: '/dead-letters', kind: 'page' },
];
const choices = (typed: string, recent: readonly string[] = []) => choicesFor(typed, pages, recent, (id) => `/story/${id}`);

test('what is typed is an id, a page or a recent id', () => {
  expect(choices('').map(({ title }) => title)).toEqual(['Streams', 'Dead letters']);
  expect(choices('stream')).toEqual([pages[0]]);
  expect(choices(' A-1042 ', ['A-1042', 'A-10427'])).toEqual([
    { title: 'A-1042', href: '/story/A-1042', kind: 'id' },
    { title: 'A-10427', href: '/story/A-10427', kind: 'recent' },
  ]);
});

test('a word is not an id', () => {
  expect(['dead', 'dead letters', 'ab'].map(mayBeId)).toEqual([false, false, false]);
  expect(['pi_3Qd', '0198a2f1-77c1-7cc0-9d0e-000000000001', 'cs_test_abcdefgh'].map(mayBeId)).toEqual([true, true, true]);
});

test('recent ids are kept once, the last first, twelve at most', () => {
  expect(withRecent(['a', 'b', 'c'], 'b')).toEqual(['b', 'a', 'c']);
  const many = Array.from({ length: 20 }, (_, index) => `id-${index}`).reduce<readonly string[]>(withRecent, []);
  expect(many).toHaveLength(12);
  expect(many[0]).toBe('id-19');
});
