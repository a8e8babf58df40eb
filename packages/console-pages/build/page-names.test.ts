import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sectionsOf } from '../web/pages/shop/settings/sections.ts';

test('no two pages of a shop have the same name', () => {
  const routes = readFileSync(new URL('../web/routes.tsx', import.meta.url), 'utf8');
  const pages = [...routes.matchAll(/\.\.\.shop\('[^']+', '([^']+)'\)/g)].map(([, title = '']) => title);
  expect(pages).toContain('Menu');
  const titles = [...pages, ...sectionsOf({ directory: true }).flatMap(([, entries]) => entries.map(({ title }) => title))];
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});
