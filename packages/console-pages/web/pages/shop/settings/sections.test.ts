import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sectionsOf } from './sections.ts';

test('a deployment without the directory service has the sections of what other services keep', () => {
  const paths = (directory: boolean) => sectionsOf({ directory }).map(([, entries]) => entries.map(({ path }) => path));
  expect(paths(false)).toEqual([['address', 'payments', 'webhooks']]);
  expect(paths(true)[0]).toContain('store');
  expect(paths(true)[1]?.slice(0, 2)).toEqual(['menu', 'promos']);
});

test('no two pages of a shop have the same name', () => {
  const routes = readFileSync(new URL('../../../routes.tsx', import.meta.url), 'utf8');
  const pages = [...routes.matchAll(/\.\.\.shop\('[^']+', '([^']+)'\)/g)].map(([, title = '']) => title);
  expect(pages).toContain('Menu');
  const titles = [...pages, ...sectionsOf({ directory: true }).flatMap(([, entries]) => entries.map(({ title }) => title))];
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});
