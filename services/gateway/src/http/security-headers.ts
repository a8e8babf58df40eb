import type { IncomingMessage } from 'node:http';
import type { Route } from '@corner/contracts';
import type { Client } from './client-address.ts';

/**
 * The security headers of every response: data never runs and is never framed, sniffed or embedded. A page has inline styles and forms that
 * may only post to its own origin. A picture may be shown by any origin, and cannot run anything even when it is opened alone. Names are in
 * lower case, so they replace a service's header in any spelling. The reference's pages have their own policy.
 */
export const securityHeaders: Headers = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const pageHeaders: Headers = {
  ...securityHeaders,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
};

const pictureHeaders: Headers = {
  ...securityHeaders,
  'content-security-policy': `${securityHeaders['content-security-policy']}; sandbox`,
  'cross-origin-resource-policy': 'cross-origin',
};

const overTls: Headers = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** HSTS is sent only when a trusted load balancer reports that the caller used TLS. */
export const securityHeadersFor = (request: IncomingMessage, client: Client, kind?: Route['kind']): Headers => ({
  ...(kind === 'page' ? pageHeaders : kind === 'pictures' ? pictureHeaders : securityHeaders),
  ...(protocolOf(request, client) === 'https' ? overTls : {}),
});

/** X-Forwarded-Proto counts only from a trusted load balancer. */
export function protocolOf({ headers }: IncomingMessage, { viaTrustedProxy }: Client): 'http' | 'https' {
  const forwarded = viaTrustedProxy ? String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0] : undefined;
  return forwarded?.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

type Headers = Readonly<Record<string, string>>;
