import { readFile, writeFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { buildConsolePages } from './build-pages.ts';

const budget = 120_000;

test('the first page of an operator takes 120 kB at most, and nothing of it comes from elsewhere', async () => {
  await using folder = await testFolder();
  const outDir = `${folder.path}/pages`;
  const { files, first } = await buildConsolePages(outDir);
  const sizes = first.map((path) => files.find((file) => file.path === path)?.brotli ?? Number.NaN);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(budget);

  const index = await readFile(`${outDir}/index.html`, 'utf8');
  const named = [...index.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path);
  expect(named.filter((path) => !path?.startsWith('/assets/'))).toEqual(['data:,']);
  expect(index).not.toMatch(/<style|style=|<script>|\son[a-z]+=/);
  for (const { path, immutable, bytes } of files) {
    const content = await readFile(`${outDir}/${path}`);
    expect(content).toHaveLength(bytes);
    expect(brotliDecompressSync(await readFile(`${outDir}/${path}.br`))).toEqual(content);
    expect(gunzipSync(await readFile(`${outDir}/${path}.gz`))).toEqual(content);
    expect([path, immutable]).toEqual([path, path !== 'index.html']);
    if (immutable) expect(path).toMatch(/-[A-Z0-9]{8}\.(?:js|css)$/);
  }
});

test('pages that are built already are not built again', async () => {
  await using folder = await testFolder();
  const outDir = `${folder.path}/pages`;
  const first = await buildConsolePages(outDir);
  const manifest = await readFile(`${outDir}/manifest.json`, 'utf8');
  // A build would overwrite this.
  await writeFile(`${outDir}/index.html`, 'kept');
  expect(await buildConsolePages(outDir)).toEqual(first);
  expect(await readFile(`${outDir}/index.html`, 'utf8')).toBe('kept');
  expect(JSON.parse(manifest)).toEqual(first);
});
