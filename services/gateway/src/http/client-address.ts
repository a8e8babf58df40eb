import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { withoutMapping } from '@corner/chassis/edge';

/**
 * Returns the function that finds a request's caller. X-Forwarded-For counts only from a connection of `trusted` (addresses or ranges): the
 * caller is the last hop that is not itself trusted, since a caller can invent the hops before it.
 */
export function createFindClient(trusted: readonly string[]): FindClient {
  const trustedRanges = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = familyOf(address);
    if (bits === undefined) trustedRanges.addAddress(address, family);
    else trustedRanges.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.length > 0 && isIP(address) !== 0 && trustedRanges.check(address, familyOf(address));

  return (request) => {
    const peer = withoutMapping(request.socket.remoteAddress ?? 'unknown');
    if (!isTrusted(peer)) return { address: peer, viaTrustedProxy: false };
    const hops = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => withoutMapping(hop.trim()));
    const last = hops.findLast((hop) => !isTrusted(hop));
    return { address: last !== undefined && isIP(last) !== 0 ? last : peer, viaTrustedProxy: true };
  };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * `address` is `unknown` when the connection has closed. A trusted load balancer's forwarding headers are continued instead of replaced.
 */
export interface Client {
  readonly address: string;
  readonly viaTrustedProxy: boolean;
}

export type FindClient = (request: IncomingMessage) => Client;
