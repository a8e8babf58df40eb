import { type Html, html, plain } from './html.ts';
import type { SitePage } from './site.ts';

export type AssetUrls = Readonly<Record<'pages.css' | 'search.js' | 'try.js', string>>;

export function frame(page: SitePage, pages: readonly SitePage[], assets: AssetUrls): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${plain(page.summary)}">
<title>${page.title} · Corner</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets['pages.css']}">
<script type="module" src="${assets['search.js']}"></script>
<script type="module" src="${assets['try.js']}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header>
<a class="brand" href="/docs">Corner</a>
<a class="all" href="#pages">All pages</a>
<search>
<label for="search">Search</label> <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Operations, fields, errors, events">
<ul id="found" aria-live="polite" hidden></ul>
</search>
</header>
<main id="main" tabindex="-1">
${page.body()}
</main>
<nav id="pages" aria-label="All pages">
${[...Map.groupBy(pages, ({ group }) => group)].map(([group, members]) => linkGroup(group, members, page))}
</nav>
</body>
</html>
`.html;
}

const linkGroup = (group: string, members: readonly SitePage[], current: SitePage): Html =>
  html`<h2>${group}</h2>
<ul>${members.map(
    ({ path, title }) => html`<li><a href="${path}"${path === current.path ? html` aria-current="page"` : html``}>${title}</a></li>`,
  )}</ul>`;
