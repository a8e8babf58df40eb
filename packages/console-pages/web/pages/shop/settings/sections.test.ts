import { expect, test } from '@jest/globals';
import { sectionsOf } from './sections.ts';

test('a deployment without the directory service has the sections of what other services keep', () => {
  const paths = (directory: boolean) => sectionsOf({ directory }).map(([, entries]) => entries.map(({ path }) => path));
  expect(paths(false)).toEqual([['address', 'payments', 'webhooks']]);
  expect(paths(true)[0]).toContain('store');
  expect(paths(true)[1]?.slice(0, 2)).toEqual(['menu', 'promos']);
});
