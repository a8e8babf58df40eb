import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { codeBlock, ownHtml } from '../html.ts';
import type { SitePage } from '../site.ts';

const folder = join(import.meta.dirname, '../../../pages/guide');
const markdown = new Marked({ renderer: { code: ({ text }) => codeBlock(text).html } });

/** In the order of the numbers in the files' names. Their links are relative to /docs/guide. */
export const guidePages = (): SitePage[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => guidePage(name, readFileSync(join(folder, name), 'utf8')));

function guidePage(name: string, text: string): SitePage {
  const [heading = '', first = ''] = text.split('\n\n');
  return {
    path: `/docs/guide/${name.replace(/^\d+-|\.md$/g, '')}`,
    title: heading.replace('# ', ''),
    summary: first.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' '),
    group: 'Guide',
    body: () => ownHtml(markdown.parse(text, { async: false })),
  };
}
