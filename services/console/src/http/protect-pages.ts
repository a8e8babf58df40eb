import type { RequestHandler } from 'express';
import { Refused } from './send-problems.ts';

export interface PagePolicy {
  readonly scripts?: readonly string[];
  readonly connections?: readonly string[];
  readonly frames?: readonly string[];
  readonly permissions: string;
  readonly listed: boolean;
}

const policyOf = ({ scripts = [], connections = [], frames = [] }: PagePolicy): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self'",
    ["connect-src 'self'", ...connections].join(' '),
    ...(frames.length === 0 ? [] : [['frame-src', ...frames].join(' ')]),
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** Adds HSTS only when the browser used TLS, as a trusted load balancer reports it. */
export function setSecurityHeaders(policy: PagePolicy): RequestHandler {
  const headers = {
    'Content-Security-Policy': policyOf(policy),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': policy.permissions,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(policy.listed ? {} : { 'X-Robots-Tag': 'noindex' }),
  };
  return (request, response, next) => {
    response.set(headers);
    if (request.secure) response.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a request that may change something unless a page of this server sent it. The cookie alone would not show that: SameSite allows
 * other origins of the same site.
 */
export const refuseForeignOrigins =
  (origin: string): RequestHandler =>
  (request, _response, next) => {
    if (!safe.has(request.method) && request.headers.origin !== origin)
      throw new Refused(
        403,
        'FOREIGN_ORIGIN',
        'Only a page of this server may send this request: its Origin header names another one or none.',
      );
    next();
  };
