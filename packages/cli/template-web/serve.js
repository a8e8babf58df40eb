// Serves the page. Its settings come from `corner run`, which knows the addresses of the running Corner.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';

const settings = { gateway: process.env.CORNER, payments: process.env.PAYMENTS ?? null, storeCode: 'S1' };
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.json': 'application/json' };
/** Folders of files by their first part of the path. */
const folders = { out: 'out', client: 'node_modules/@corner/client/lib' };

async function contentOf(path) {
  if (path === '/settings.json') return JSON.stringify(settings);
  const [, folder, file] = /^\/(\w+)\/([\w.-]+)$/.exec(path) ?? [];
  if (Object.hasOwn(folders, folder ?? '')) return await readFile(`${import.meta.dirname}/${folders[folder]}/${file}`);
  return await readFile(`${import.meta.dirname}/index.html`);
}

const server = createServer(async ({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  try {
    const content = await contentOf(pathname);
    response.writeHead(200, { 'content-type': types[extname(pathname) || '.html'] ?? 'application/octet-stream' }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), 'localhost', () => console.log(`http://localhost:${server.address().port}`));
