import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFiles } from './walls/read-files.ts';

const root = new URL('..', import.meta.url).pathname;
// The guide's links are those of its pages at the gateway, whose tests follow them.
const documents = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'services/*/README.md'], { cwd: root }).map((name) =>
  join(root, name),
);

const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

function brokenLinks(path: string, text: string): string[] {
  const outsideCode = text.replaceAll(/```.*?```|`[^`\n]*`/gs, '');
  const links = [...outsideCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
  return links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = join(dirname(path), file);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(file === '' ? text : readFileSync(target, 'utf8')).has(anchor);
  });
}

test('every link of a document to a file of the repository, or to a part of it, leads there', () => {
  expect(documents.length).toBeGreaterThan(35);
  const broken = documents.flatMap((path) =>
    brokenLinks(path, readFileSync(path, 'utf8')).map((link) => `${relative(root, path)}: ${link}`),
  );
  expect(broken).toEqual([]);
});

const missingFiles = (text: string): string[] =>
  [...text.matchAll(/`((?:services|packages|tools)\/[\w./-]+\.tsx?)`/g)]
    .map(([, file = '']) => file)
    .filter((file) => !existsSync(join(root, file)));

test('every source file that a document names is there', () => {
  const missing = documents.flatMap((path) => missingFiles(readFileSync(path, 'utf8')).map((file) => `${relative(root, path)}: ${file}`));
  expect(missing).toEqual([]);
  expect(missingFiles('`tools/links.test.ts` `tools/gone.ts`')).toEqual(['tools/gone.ts']);
});

/** A text names a test by the end of its path; it must match one file. */
const unclearTests = (text: string, paths: readonly string[]): string[] =>
  [...text.matchAll(/`([a-z][\w/-]*)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => paths.filter((path) => path.endsWith(`/${name}.test.ts`) || path.endsWith(`/${name}.system.test.ts`)).length !== 1);

test('every test that docs/security.md names is one file', () => {
  const paths = [...readFiles().keys()];
  expect(unclearTests(readFileSync(join(root, 'docs/security.md'), 'utf8'), paths)).toEqual([]);
  expect(unclearTests('`sbom` `gone` `config`', paths)).toEqual(['gone', 'config']);
});

test('a link to a file, a heading or a part of the document that is not there is found; links in code and to other hosts are left out', () => {
  const text = '# One heading\n[a](nowhere.md) [b](#one-heading) [c](#another) [d](README.md#nothing) [e](https://example.com) `[f](g.md)`';
  expect(brokenLinks(join(root, 'CONTRIBUTING.md'), text)).toEqual(['nowhere.md', '#another', 'README.md#nothing']);
});

const pages = globSync(['CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md', 'docs/decisions/README.md'], { cwd: root });

test.each(pages)('%s names its reader in its first line, and is read in ten minutes', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  expect(text).toMatch(/^# .+\n\nFor /);
  const words = text
    .replaceAll(/```.*?```/gs, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  expect(words.length).toBeLessThan(2_100);
});
