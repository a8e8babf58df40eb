import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Client } from './client-address.ts';
import { protocolOf } from './guard-headers.ts';

export type Headers = Record<string, string | string[]>;

/** What belongs to one connection and not to the message (RFC 9110, 7.6.1), and what the gateway itself answers for. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Said anew to the service; whatever a caller claims in them is not to be believed. `expect` was answered at this connection. */
const replaced = new Set([
  'host',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
  // A request is what its first line says.
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

const hostname = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/** The headers a service is sent. Keeps those of the message, replaces what only the gateway can know. */
export function headersToService(request: IncomingMessage, client: Client, requestId: string): Headers {
  const { headers } = request;
  const sent = kept(headers, replaced);
  const trusted = client.viaTrustedProxy;
  sent['x-request-id'] = requestId;
  sent['x-forwarded-for'] = client.address;
  sent['x-forwarded-proto'] = protocolOf(request, client);
  const forwardedHost = trusted ? first(headers['x-forwarded-host']) : undefined;
  const host = forwardedHost && hostname.test(forwardedHost) ? forwardedHost : headers.host;
  if (host) sent['x-forwarded-host'] = host;
  return sent;
}

const ownAnswer = new Set(['x-request-id']);

/** The headers a caller is answered: the service's without those of its connection, each Set-Cookie by itself, and `added`. */
export function headersToCaller(answered: IncomingHttpHeaders, added: Headers): Headers {
  const { vary } = answered;
  const sent = Object.assign(kept(answered, ownAnswer), added);
  if (vary !== undefined && added.vary !== undefined) sent.vary = `${vary}, ${added.vary}`;
  return sent;
}

function kept(headers: IncomingHttpHeaders, without: ReadonlySet<string>): Headers {
  const named = namedByConnection(headers.connection);
  const result: Headers = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !hopByHop.has(name) && !without.has(name) && !named?.includes(name)) result[name] = value;
  }
  return result;
}

/** Further headers that the sender declares to be of this connection only. */
function namedByConnection(connection: string | string[] | undefined): readonly string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return String(connection)
    .split(',')
    .map((name) => name.trim().toLowerCase());
}

const first = (value: string | string[] | undefined): string | undefined =>
  value === undefined ? undefined : String(value).split(',', 1)[0]?.trim();
