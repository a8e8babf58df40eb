import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { buildPages, type Manifest, type PagesOptions } from './build-pages.ts';

let folder: TestFolder;
let options: PagesOptions;
beforeEach(async () => {
  folder = await testFolder();
  options = { root: folder.path, jsxImportSource: 'preact', title: 'A shop', head: [], noscript: 'No.', firstPage: [] };
  await write('web/main.tsx', 'document.title = "first"; void import("./lazy.ts");');
  await write('web/lazy.ts', 'document.title = "lazy";');
});
afterEach(async () => await folder[Symbol.asyncDispose]());

async function write(path: string, text: string): Promise<void> {
  const file = `${folder.path}/${path}`;
  await mkdir(file.slice(0, file.lastIndexOf('/')), { recursive: true });
  await writeFile(file, text);
}
const build = (): Promise<Manifest> => buildPages(options, `${folder.path}/built`);
const read = (path: string): Promise<string> => readFile(`${folder.path}/built/${path}`, 'utf8');

async function builtInWorker(): Promise<{ readonly version: string; readonly files: readonly string[] }> {
  const self: { seen?: never } = {};
  runInContext(await read('sw.js'), createContext({ self }));
  return self.seen ?? { version: '', files: [] };
}

test('a service worker keeps its name and knows every file by its address, and another version of any makes another worker', async () => {
  await write('web/sw.ts', 'declare const BUILT: unknown; (self as unknown as { seen: unknown }).seen = BUILT;');
  const { files } = await build();
  const before = await builtInWorker();
  const hashed = files.filter(({ immutable }) => immutable).map(({ path }) => `/${path}`);
  expect(hashed).toHaveLength(2);
  expect(before.files.toSorted()).toEqual(['/', ...hashed].toSorted());
  expect(files.find(({ path }) => path === 'sw.js')).toMatchObject({ immutable: false, type: 'text/javascript; charset=utf-8' });

  await write('web/lazy.ts', 'document.title = "other";');
  await build();
  const after = await builtInWorker();
  expect(after.version).not.toBe(before.version);
  expect(after.files).not.toEqual(before.files);
});

test('static files keep their names, have their media types, and are asked for each time', async () => {
  await write('web/static/manifest.webmanifest', '{"name":"A shop"}');
  await write('web/static/icons/192.png', 'not really');
  const { files } = await build();
  expect(files.filter(({ path }) => !path.startsWith('assets/')).map(({ path, type, immutable }) => [path, type, immutable])).toEqual([
    ['index.html', 'text/html; charset=utf-8', false],
    ['icons/192.png', 'image/png', false],
    ['manifest.webmanifest', 'application/manifest+json', false],
  ]);
  expect(await read('manifest.webmanifest')).toBe('{"name":"A shop"}');
});

test('the elements of the head and the text without JavaScript are those of the options', async () => {
  options = { ...options, head: ['<link rel="manifest" href="/manifest.webmanifest">'] };
  await build();
  const html = await read('index.html');
  expect(html).toContain('<title>A shop</title>\n<link rel="manifest" href="/manifest.webmanifest">\n');
  expect(html).toContain('<noscript>No.</noscript>');
  expect(html).not.toContain('stylesheet');
});

test('what shows while the pages load comes before the style, which would hold it back', async () => {
  await write('web/main.tsx', 'import "./main.css"; void import("./lazy.ts");');
  await write('web/main.css', 'p { color: red }');
  options = { ...options, loading: '<svg/>' };
  await build();
  expect(await read('index.html')).toMatch(/<body><div id="root"><svg\/><\/div><link rel="stylesheet" href="\/assets\/main-\w+\.css">/);
});

test('the manifest names the files of each lazy source; what pages share with the first one is in one file', async () => {
  await write('web/main.tsx', 'import "./app.tsx";');
  await write(
    'web/app.tsx',
    'import "./one.ts"; import "./two.ts"; void import("./a.tsx"); void import("./b.tsx"); void import("./c.ts");',
  );
  for (const name of ['one', 'two']) await write(`web/${name}.ts`, `document.title += "${name}";`);
  await write('web/a.tsx', 'import "./one.ts"; document.title += "a";');
  await write('web/b.tsx', 'import "./two.ts"; document.title += "b";');
  await write('web/c.ts', 'document.title += "c";');
  const filesOf = async () => {
    const { first, lazy } = await build();
    return [first.length, Object.fromEntries(Object.entries(lazy).map(([source, files]) => [source, files.length]))];
  };
  expect(await filesOf()).toEqual([4, { 'a.tsx': 1, 'b.tsx': 1, 'c.ts': 1 }]);
  options = { ...options, shared: 'app.tsx' };
  expect(await filesOf()).toEqual([3, { 'a.tsx': 1, 'b.tsx': 1, 'c.ts': 1 }]);
});

test.each([
  ['a source that was bundled', () => write('web/lazy.ts', 'document.title = "changed";')],
  ['a source that is gone', () => rm(`${folder.path}/web/lazy.ts`).then(() => write('web/main.tsx', 'document.title = "alone";'))],
  ['a static file that is new', () => write('web/static/robots.svg', '<svg/>')],
  ['a service worker that is new', () => write('web/sw.ts', 'self.name;')],
  [
    'an option',
    async () => {
      options = { ...options, title: 'Another shop' };
    },
  ],
])('another build is made after %s, and none without', async (_what, change) => {
  const first = await build();
  await writeFile(`${folder.path}/built/index.html`, 'kept');
  expect(await build()).toEqual(first);
  expect(await read('index.html')).toBe('kept');
  await change();
  expect((await build()).inputs).not.toBe(first.inputs);
  expect(await read('index.html')).not.toBe('kept');
});
