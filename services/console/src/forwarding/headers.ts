import type { IncomingHttpHeaders } from 'node:http';

/** Headers of one connection and not of the message (RFC 9110, 7.6.1). */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Request headers that stay here: the session's, those of the browser about its page, and those that this server sets. */
const notForwarded = new Set([
  ...hopByHop,
  'host',
  'cookie',
  'authorization',
  'origin',
  'referer',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
  'traceparent',
  'tracestate',
]);

/** Response headers that stay here: no response of the platform sets a cookie for the console or changes its policy. */
const notReturned = new Set([
  ...hopByHop,
  'set-cookie',
  'x-request-id',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

type Headers = Record<string, string | string[]>;

const without = (headers: IncomingHttpHeaders, excluded: ReadonlySet<string>): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || excluded.has(name) || name.startsWith('sec-') ? [] : [[name, value]],
    ),
  );

/** Returns the headers for the gateway: the browser's own, with the token of the session in place of its cookie. */
export const headersToGateway = (sent: IncomingHttpHeaders, added: Headers): Headers => ({ ...without(sent, notForwarded), ...added });

/** Returns the gateway's headers for the browser. */
export const headersToBrowser = (received: IncomingHttpHeaders): Headers => without(received, notReturned);
