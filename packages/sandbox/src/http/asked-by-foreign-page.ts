import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whether a page of another origin sent the request, which any page in a browser on this machine can. Programs and pages of the same
 * server may go ahead. A Host that is a public name is foreign too: its owner can let it point at this machine.
 */
export function askedByForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { host = '', origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  return !isOwnName(nameIn(host));
}

/** An address, localhost, or a name without a dot, as containers have. */
const isOwnName = (name: string): boolean => isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost');

const nameIn = (host: string): string => (host.startsWith('[') ? host.slice(1, host.indexOf(']')) : (host.split(':')[0] ?? ''));
