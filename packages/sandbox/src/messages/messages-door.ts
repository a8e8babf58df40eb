import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Reply, sendAnswer } from './answer.ts';
import { createFcmDoor } from './fcm-door.ts';
import type { GoogleTokens } from './google-tokens.ts';
import type { Deliver, Inbox } from './inbox.ts';
import { sendInboxPage } from './inbox-page.ts';
import type { MessageControls } from './message-controls.ts';
import { createMessageControlDoor } from './message-controls-over-http.ts';
import type { MessageFaults } from './message-faults.ts';
import { createWalletDoor } from './wallet-door.ts';
import { walletKinds } from './wallet-resource.ts';

interface DoorOptions {
  readonly projectId: string;
  readonly issuerId: string;
  readonly tokens: GoogleTokens;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
  readonly inbox: Inbox;
  readonly controls: MessageControls;
}

/** Serves everything over plain HTTP: the inbox as a page and as JSON, the controls, and Google's APIs. */
export function createMessagesDoor({ projectId, issuerId, tokens, faults, deliver, inbox, controls }: DoorOptions) {
  const sendByFcm = createFcmDoor({ projectId, tokens, faults, deliver });
  const keepPass = createWalletDoor({ issuerId, tokens, faults, deliver });
  const control = createMessageControlDoor(controls);

  async function exchange(body: string): Promise<Reply> {
    const fault = faults.take('token', '');
    if (fault?.how === 'hang_up' || fault?.how === 'hang_up_after') return 'lost';
    if (fault) return { status: fault.how === 'too_many' ? 429 : fault.how === 'refused' ? 403 : 503, body: { error: 'internal_failure' } };
    return await tokens.exchange(new URLSearchParams(body));
  }

  return async function open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://messages');
    const body = await text(request);
    const fcm = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(pathname)?.[1];
    const [, kind, id = null] = walletPath.exec(pathname) ?? [];
    const walletKind = walletKinds.find((known) => known === kind);
    if (walletKind)
      sendAnswer(response, keepPass({ method: method ?? '', kind: walletKind, id, authorization: headers.authorization, body }));
    else if (method === 'POST' && fcm) sendAnswer(response, sendByFcm(fcm, headers.authorization, body));
    else if (method === 'POST' && pathname === '/token') sendAnswer(response, await exchange(body));
    else if (pathname.startsWith('/_sim/')) sendAnswer(response, control(method, pathname.slice('/_sim/'.length), body));
    else if (method === 'GET' && pathname === '/inbox.json') sendAnswer(response, { status: 200, body: listed(inbox, searchParams) });
    else if (method === 'GET' && pathname === '/') sendInboxPage(response, listed(inbox, searchParams));
    else sendAnswer(response, { status: 404, body: { error: { code: 404, message: 'Nothing is here.', status: 'NOT_FOUND' } } });
  };
}

const walletPath = /^\/walletobjects\/v1\/(\w+)(?:\/([^/]+))?$/;

/** Lists messages in order of arrival: to any of `to`, after number `after`. */
function listed(inbox: Inbox, query: URLSearchParams): ReturnType<Inbox['all']> {
  const to = query.getAll('to').map((recipient) => recipient.toLowerCase());
  const after = Number(query.get('after') ?? 0);
  return inbox.all().filter((message) => message.n > after && (to.length === 0 || to.includes(message.to.toLowerCase())));
}
