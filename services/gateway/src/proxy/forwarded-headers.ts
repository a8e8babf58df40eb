import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { endToEnd, type Headers, setByProxies } from '@corner/chassis/edge';
import type { ForwardedHeaders } from '@corner/contracts';
import type { Client } from '../http/client-address.ts';
import { protocolOf } from '../http/security-headers.ts';

/** Request headers that are not passed on: the gateway sets or has applied them, or they would change the request's meaning or method. */
const notForwarded = new Set([...setByProxies, 'x-http-method', 'x-http-method-override', 'x-method-override']);

const notReturned = new Set(['x-request-id']);

const hostPattern = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

export function headersToService(request: IncomingMessage, client: Client, requestId: string): Headers {
  const { headers } = request;
  const forwardedHost = client.viaTrustedProxy ? firstOf(headers['x-forwarded-host']) : undefined;
  const host = forwardedHost && hostPattern.test(forwardedHost) ? forwardedHost : headers.host;
  const own: ForwardedHeaders = {
    'x-request-id': requestId,
    'x-forwarded-for': client.address,
    'x-forwarded-proto': protocolOf(request, client),
    ...(host ? { 'x-forwarded-host': host } : {}),
  };
  return Object.assign(endToEnd(headers, notForwarded), own);
}

/** `added` replaces the service's headers. */
export function headersToCaller(readResponse: IncomingHttpHeaders, added: Headers): Headers {
  const { vary } = readResponse;
  const headers = Object.assign(endToEnd(readResponse, notReturned), added);
  if (vary !== undefined && added.vary !== undefined) headers.vary = `${vary}, ${added.vary}`;
  return headers;
}

const firstOf = (value: string | string[] | undefined): string | undefined =>
  value === undefined ? undefined : String(value).split(',', 1)[0]?.trim();
