import type { RequestHandler } from 'express';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** Sets the security headers of every response, and HSTS when the browser used TLS, as a trusted load balancer reports it. */
export function setSecurityHeaders(): RequestHandler {
  const headers = {
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  };
  return (request, response, next) => {
    response.set(headers);
    if (request.secure) response.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}
