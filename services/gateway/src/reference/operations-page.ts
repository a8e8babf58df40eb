import { html, page } from './page.ts';

/** Returns the page of the operations. The browser renders it from /api/v1/openapi.json, with a form to try each operation. */
export const operationsPage = (withDemoTokens: boolean): string =>
  page(
    'Operations',
    html`${withDemoTokens ? demoNote : html``}<div id="operations"></div>
<noscript>The description of the interface is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>`,
    html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<script src="/docs/assets/swagger-ui.js" defer></script>
${withDemoTokens ? html`<script src="/docs/assets/demo-tokens.js" defer></script>` : html``}
<script src="/docs/assets/start.js" defer></script>`,
  );

const demoNote = html`<p id="people">Requests you try here are sent as Ana, a customer of the demo, or as Bo, its merchant, depending on who may call the operation.
To call as another person, authorize with the output of <code>npx corner token</code>.</p>
`;
