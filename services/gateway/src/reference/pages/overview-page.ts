import type { OpenapiDocument, ReferenceChapter } from '../document/openapi-document.ts';
import { type Html, html, prose } from '../html.ts';
import type { SitePage } from '../site.ts';
import { operationPath } from './operation-page.ts';

export const overviewPage = ({ info }: OpenapiDocument, chapters: readonly ReferenceChapter[]): SitePage => ({
  path: '/docs',
  title: 'Overview',
  summary: 'Every operation of Corner, in the order in which an app calls them.',
  group: 'Corner',
  body: () => html`<h1>The interface of Corner</h1>
${info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
<p>New here? <a href="/docs/guide/first-order">First order in five minutes</a>.</p>
<p>For programs: <a href="/api/v1/openapi.json">OpenAPI</a>, <a href="/asyncapi.json">AsyncAPI</a>.
For people: <a href="/docs/errors">every error</a> with what to do about it, and <a href="/docs/events">every event</a>.</p>
${chapters.map(chapterOf)}`,
});

const chapterOf = ({ name, description, operations }: ReferenceChapter): Html =>
  html`<h2>${name}</h2>
<p>${prose(description)}</p>
<ul class="operations">${operations.map(
    (operation) =>
      html`<li><a href="${operationPath(operation)}">${prose(operation.summary)}</a> <small><code>${operation.method} ${operation.path}</code></small></li>`,
  )}</ul>`;
