import { demoPayPath } from '../demo.ts';
import type { ReferenceOperation } from '../document/openapi-document.ts';
import { type Html, html } from '../html.ts';

/** The form is hidden until its script runs, which offers the tokens at `tokensPath`. */
export function tryForm({ method, path, parameters, body, ...operation }: ReferenceOperation, tokensPath: string | undefined): Html {
  const shown = parameters.filter((parameter) => parameter.in !== 'header');
  return html`<form id="try" data-method="${method}" data-path="${path}" data-callers="${operation['x-callers'].join(' ')}"${
    tokensPath === undefined ? html`` : html` data-tokens="${tokensPath}"`
  } hidden>
<h2>Try it</h2>
<p><label for="try-person">Call as</label> <select id="try-person"></select></p>
<p id="try-own" hidden><label for="try-token">Access token</label> <input id="try-token" autocomplete="off" spellcheck="false"></p>
${shown.map(
  ({ name, in: where, required, example }) =>
    html`<p><label for="try-${name}">${name}</label> <input id="try-${name}" name="${name}" data-in="${where}" value="${typeof example === 'string' || typeof example === 'number' ? example : ''}"${required ? html` required` : html``} autocomplete="off" spellcheck="false"></p>`,
)}
${
  body
    ? html`<p><label for="try-body">Body</label> <textarea id="try-body" rows="${Math.min(24, JSON.stringify(body.example, null, 2).split('\n').length)}" spellcheck="false">${JSON.stringify(body.example, null, 2)}</textarea></p>`
    : html``
}
${method === 'GET' ? html`` : html`<p><label><input id="try-repeat" type="checkbox"> Repeat the last request’s key, to see a replay</label></p>`}
<p><button>Send</button></p>
<div id="try-result" role="status"></div>
<div class="code"><pre id="try-response" tabindex="0" aria-label="Response" hidden></pre></div>
${tokensPath === undefined || !pays.includes(operation.operationId) ? html`` : payWithTestCard}
</form>`;
}

/** Operations whose order can be paid on the page, as a payment sheet does in an app. */
const pays = ['createOrder', 'confirmOrder'];

const payWithTestCard = html`<p id="try-pay" data-pay="${demoPayPath}" hidden><label for="try-card">Pay the order with a test card</label> <select id="try-card">
<option value="pm_card_visa">one that is accepted</option>
<option value="pm_card_chargeDeclined">one that is declined</option>
</select> <button type="button">Pay</button></p>`;
