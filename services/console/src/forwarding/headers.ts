import type { IncomingHttpHeaders } from 'node:http';
import { endToEnd, type Headers } from '@corner/chassis/edge';

/** Request headers that stay here: the session's, those of the browser about its page, and those that this server sets. */
const notForwarded = new Set([
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
  'set-cookie',
  'x-request-id',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

const isOfBrowser = (name: string): boolean => name.startsWith('sec-');

/** Returns the headers for the gateway: the browser's own, with the token of the session in place of its cookie. */
export const headersToGateway = (sent: IncomingHttpHeaders, added: Headers): Headers => ({
  ...Object.fromEntries(Object.entries(endToEnd(sent, notForwarded)).filter(([name]) => !isOfBrowser(name))),
  ...added,
});

/** Returns the gateway's headers for the browser. */
export const headersToBrowser = (received: IncomingHttpHeaders): Headers => endToEnd(received, notReturned);
