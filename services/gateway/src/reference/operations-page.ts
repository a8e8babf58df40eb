import { html, page } from './page.ts';

/** The operations, rendered from /api/v1/openapi.json in the browser, each to be tried. */
export const operationsPage = (): string =>
  page(
    'Operations',
    html`<div id="operations"></div>
<noscript>The description of the interface is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>`,
    html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<script src="/docs/assets/swagger-ui.js" defer></script>
<script src="/docs/assets/start.js" defer></script>`,
  );
