import { readFile } from 'node:fs/promises';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { buildShopPages } from './build-pages.ts';

const budget = 50_000;
/** Requests of a first visit: a browser has six connections, and each file beyond them costs another round trip on a slow network. */
const mostFiles = 5;

test('the first visit to a menu takes 50 kB in five files at most; the document names files of its own origin, and all of them are there', async () => {
  await using folder = await testFolder();
  const outDir = `${folder.path}/pages`;
  const { files, first } = await buildShopPages(outDir);
  const sizes = first.map((path) => files.find((file) => file.path === path)?.brotli ?? Number.NaN);
  expect(first.length).toBeLessThanOrEqual(mostFiles);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(budget);

  const html = await readFile(`${outDir}/index.html`, 'utf8');
  const { icons } = JSON.parse(await readFile(`${outDir}/manifest.webmanifest`, 'utf8')) as { icons: readonly { src: string }[] };
  const named = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path).concat(icons.map(({ src }) => src));
  const paths = files.map(({ path }) => `/${path}`);
  expect(named.filter((path) => !paths.includes(path ?? ''))).toEqual([]);
  expect(paths).toContain('/sw.js');
});
