import { type Html, plain } from './html.ts';

export interface SitePage {
  readonly path: `/docs${string}`;
  readonly title: string;
  readonly summary: string;
  readonly group: string;
  readonly body: () => Html;
  readonly parts?: readonly SitePart[];
}

interface SitePart {
  readonly anchor: string;
  readonly title: string;
  readonly summary: string;
}

export interface SearchEntry {
  readonly title: string;
  readonly group: string;
  readonly summary: string;
  readonly href: string;
}

export const searchEntries = (pages: readonly SitePage[]): SearchEntry[] =>
  pages.flatMap(({ path, title, summary, group, parts = [] }) => [
    { title, group, summary: plain(summary), href: path },
    ...parts.map((part) => ({ title: part.title, group: title, summary: plain(part.summary), href: `${path}#${part.anchor}` })),
  ]);
