import { html, page } from './page.ts';

/** The operations, rendered from /api/v1/openapi.json in the browser, each to be tried; where there is a demo, as its people. */
export const operationsPage = (asPeopleOfDemo: boolean): string =>
  page(
    'Operations',
    html`${asPeopleOfDemo ? people : html``}<div id="operations"></div>
<noscript>The description of the interface is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>`,
    html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<script src="/docs/assets/swagger-ui.js" defer></script>
${asPeopleOfDemo ? html`<script src="/docs/assets/demo-tokens.js" defer></script>` : html``}
<script src="/docs/assets/start.js" defer></script>`,
  );

const people = html`<p id="people">What you try here goes out as Ana, a customer, or Bo, the merchant of the demo, whoever may ask it.
To be somebody else, authorize with the output of <code>npx corner token</code>.</p>
`;
