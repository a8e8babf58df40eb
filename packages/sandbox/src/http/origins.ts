import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns true for a request of a page of another origin, as any page in this machine's browser can send. A Host with a public name is
 * foreign too: its owner may point it here.
 */
export function askedByForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { host = '', origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  return !isOwnName(nameIn(host));
}

const isOwnName = (name: string): boolean => isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost');

const nameIn = (host: string): string => (host.startsWith('[') ? host.slice(1, host.indexOf(']')) : (host.split(':')[0] ?? ''));

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

function isLocal(origin: string): boolean {
  const { protocol, hostname } = URL.parse(origin) ?? {};
  return /^https?:$/.test(protocol ?? '') && /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? '');
}
