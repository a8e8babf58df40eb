import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { settleIntent } from './confirm-intent.ts';
import { page, redirect, sendPage } from './hosted-page.ts';
import { seenByDevice } from './payment-intents.ts';
import { StripeRefusal } from './refusal.ts';
import type { Intent } from './stripe-shapes.ts';
import { type Change, noCause, type World } from './world.ts';

/**
 * Serves the page on which a bank authenticates the customer (3-D Secure): `GET` and `POST /authenticate/<intent>?client_secret=…`, the
 * form with `outcome`, `succeeded` or `failed`. A script that accepts JSON gets the intent as devices see it; a browser is redirected to
 * the return_url.
 */
export function createAuthenticatePage(world: World, change: Change) {
  return async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://payments');
    const intent = world.books.get('payment_intent', pathname.split('/')[2] ?? '');
    if (!intent || searchParams.get('client_secret') !== intent.client_secret)
      return sendPage(response, 404, page('There is no such page', '<p>The address is wrong.</p>'));
    if (request.method !== 'POST') return sendPage(response, 200, form);
    const outcome = new URLSearchParams(await text(request)).get('outcome') === 'succeeded' ? 'succeeded' : 'failed';
    const returnUrl = intent.next_action?.redirect_to_url?.return_url;
    const { status, body } = settled(() => change(noCause, () => settleIntent(world, intent.id, outcome)));
    if (request.headers.accept?.includes('application/json'))
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
    else if (returnUrl) redirect(response, returned(returnUrl, intent, status === 200 ? outcome : 'failed'));
    else sendPage(response, status, page('Thank you', '<p>You can go back to the shop.</p>'));
  };
}

function settled(settle: () => Intent): { readonly status: number; readonly body: unknown } {
  try {
    return { status: 200, body: seenByDevice(settle()) };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { status: error.status, body: error.body() };
  }
}

function returned(returnUrl: string, { id, client_secret }: Intent, outcome: 'succeeded' | 'failed'): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', id);
  url.searchParams.set('payment_intent_client_secret', client_secret ?? '');
  url.searchParams.set('redirect_status', outcome);
  return url.href;
}

const form = page(
  'Your bank asks',
  `<p>This page stands for the bank’s. Is it you who pays?</p>
<form method="post">
<button name="outcome" value="succeeded">Yes, it is me</button>
<button name="outcome" value="failed" class="quiet">No</button>
</form>`,
);
