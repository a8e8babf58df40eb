import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { askedByForeignPage } from '../../http/origins.ts';
import { type Authorization, authorize, type Chosen } from './authorize.ts';
import { type Exchange, exchange, revoke } from './exchange.ts';
import { OAuthError } from './oauth-error.ts';
import { sendSentence, sendSignInPage } from './pages.ts';

export type Means = Authorization & Exchange;
type Endpoint = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams, means: Means) => Promise<void> | void;

export const openIdEndpoints: Readonly<Record<string, Endpoint>> = {
  'GET /authorize': (_request, response, query, means) => answerAuthorize(response, query, undefined, means),
  async 'POST /authorize'(request, response, query, means) {
    if (askedByForeignPage(request.headers)) {
      return sendSentence(response, 403, 'No sign-in', 'A page of another origin cannot choose a person.');
    }
    const form = new URLSearchParams(await text(request));
    const of = (name: string): string => form.get(name) ?? '';
    answerAuthorize(response, query, form.has('email') ? { name: of('name'), email: of('email') } : { person: of('person') }, means);
  },
  'POST /token': (request, response, _query, means) =>
    answerForm(request, response, async (form) => JSON.stringify(await exchange(form, means))),
  'POST /revoke': (request, response, _query, means) =>
    answerForm(request, response, async (form) => {
      revoke(form, means);
      return '';
    }),
  'GET /sign-out'(_request, response, query, { clients }) {
    const to = query.get('post_logout_redirect_uri');
    const client =
      clients.find(({ id }) => id === query.get('client_id')) ?? clients.find(({ afterSignOut }) => afterSignOut.includes(to ?? ''));
    if (to === null || !client?.afterSignOut.includes(to)) return sendSentence(response, 200, 'Signed out', 'You can close this page.');
    const address = new URL(to);
    const state = query.get('state');
    if (state !== null) address.searchParams.set('state', state);
    redirectTo(response, address.href);
  },
};

function answerAuthorize(response: ServerResponse, query: URLSearchParams, chosen: Chosen | undefined, means: Means): void {
  try {
    const result = authorize(query, chosen, means);
    if (result.kind === 'redirect') redirectTo(response, result.to);
    else sendSignInPage(response, query.toString(), means.people, result.origin);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    sendSentence(response, 400, 'No sign-in', `${error.message}.`);
  }
}

function redirectTo(response: ServerResponse, address: string): void {
  response.writeHead(303, { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).end();
}

async function answerForm(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (form: URLSearchParams) => Promise<string>,
): Promise<void> {
  const send = (status: number, body: string) =>
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
  try {
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
      throw new OAuthError('invalid_request', 'the body is application/x-www-form-urlencoded');
    }
    send(200, await answer(new URLSearchParams(await text(request))));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    send(error.code === 'invalid_client' ? 401 : 400, JSON.stringify({ error: error.code, error_description: error.message }));
  }
}
