import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createFcmEndpoint } from './fcm-endpoint.ts';
import type { GoogleTokens } from './google-tokens.ts';
import type { Deliver, Inbox } from './inbox.ts';
import { sendHtmlPart, sendInboxPage } from './inbox-page.ts';
import { createMessageControlEndpoints } from './message-control-endpoints.ts';
import type { MessageControls } from './message-controls.ts';
import type { MessageFaults } from './message-faults.ts';
import { messageIdentity } from './messages-environment.ts';
import { type Reply, sendReply } from './send-reply.ts';
import { createTwilioEndpoint } from './twilio-endpoint.ts';
import type { Phones } from './twilio-phones.ts';
import { createWalletEndpoints } from './wallet-endpoints.ts';
import { walletKinds } from './wallet-resource.ts';
import type { Browsers } from './web-push-browser.ts';
import { createWebPushEndpoint } from './web-push-endpoint.ts';

interface EndpointOptions {
  readonly tokens: GoogleTokens;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
  readonly inbox: Inbox;
  readonly controls: MessageControls;
  readonly browsers: Browsers;
  readonly phones: Phones;
  readonly origin: string;
  readonly now: () => Date;
}

export function createMessagesEndpoints({ tokens, faults, deliver, inbox, controls, browsers, phones, origin, now }: EndpointOptions) {
  const {
    projectId,
    walletIssuerId: issuerId,
    twilioAccountSid: accountSid,
    twilioAuthToken: authToken,
    twilioFrom: from,
  } = messageIdentity;
  const sendByFcm = createFcmEndpoint({ projectId, tokens, faults, deliver });
  const keepPass = createWalletEndpoints({ issuerId, tokens, faults, deliver });
  const twilio = createTwilioEndpoint({ accountSid, authToken, from, faults, deliver, phones, now });
  const push = createWebPushEndpoint({ origin, browsers, faults, deliver, now });
  const control = createMessageControlEndpoints(controls);

  async function exchange(body: string): Promise<Reply> {
    const fault = faults.take('token', '');
    if (fault?.how === 'hang_up' || fault?.how === 'hang_up_after') return 'lost';
    if (fault) return { status: fault.how === 'too_many' ? 429 : fault.how === 'refused' ? 403 : 503, body: { error: 'internal_failure' } };
    return await tokens.exchange(new URLSearchParams(body));
  }

  return async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://messages');
    const bytes = await buffer(request);
    const body = bytes.toString();
    const fcm = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(pathname)?.[1];
    const [, kind, id = null] = walletPath.exec(pathname) ?? [];
    const html = inbox.all().find(({ n }) => n === Number(htmlPath.exec(pathname)?.[1]))?.html ?? null;
    const [, account, sid = null] = twilioPath.exec(pathname) ?? [];
    const subscription = pushPath.exec(pathname)?.[1];
    const walletKind = walletKinds.find((known) => known === kind);
    if (walletKind)
      sendReply(response, keepPass({ method: method ?? '', kind: walletKind, id, authorization: headers.authorization, body }));
    else if (account)
      sendReply(response, twilio({ method: method ?? '', account, sid, query: searchParams, authorization: headers.authorization, body }));
    else if (method === 'POST' && fcm) sendReply(response, sendByFcm(fcm, headers.authorization, body));
    else if (method === 'POST' && subscription) sendReply(response, await push(subscription, headers, bytes));
    else if (method === 'POST' && pathname === '/token') sendReply(response, await exchange(body));
    else if (pathname.startsWith('/_sim/'))
      sendReply(response, await control({ method, headers, name: pathname.slice('/_sim/'.length), body }));
    else if (method === 'GET' && pathname === '/inbox.json') sendReply(response, { status: 200, body: listed(inbox, searchParams) });
    else if (method === 'GET' && html !== null) sendHtmlPart(response, html);
    else if (method === 'GET' && pathname === '/') sendInboxPage(response, listed(inbox, searchParams));
    else sendReply(response, { status: 404, body: { error: { code: 404, message: 'Nothing is here.', status: 'NOT_FOUND' } } });
  };
}

const htmlPath = /^\/inbox\/(\d+)\.html$/;
const pushPath = /^\/web-push\/([\w-]+)$/;
const twilioPath = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages(?:\/([^/]+))?\.json$/;
const walletPath = /^\/walletobjects\/v1\/(\w+)(?:\/([^/]+))?$/;

function listed(inbox: Inbox, query: URLSearchParams): ReturnType<Inbox['all']> {
  const to = query.getAll('to').map((recipient) => recipient.toLowerCase());
  const after = Number(query.get('after') ?? 0);
  return inbox.all().filter((message) => message.n > after && (to.length === 0 || to.includes(message.to.toLowerCase())));
}
