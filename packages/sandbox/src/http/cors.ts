import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets pages of this machine call and read the response, such as an app at http://localhost:5173. Returns true when the request was a
 * preflight, which is then answered. Stripe lets pages of any origin call.
 */
export function allowLocalPages(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  response.setHeader('Vary', 'Origin');
  if (origin === undefined || !isLocal(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Request-Id');
  if (request.method !== 'OPTIONS') return false;
  const asked = request.headers['access-control-request-headers'];
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST',
    ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': '600',
  });
  response.end();
  return true;
}

/** Whether an origin is of this machine, on any port. */
function isLocal(origin: string): boolean {
  const { protocol, hostname } = URL.parse(origin) ?? {};
  return /^https?:$/.test(protocol ?? '') && /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? '');
}
