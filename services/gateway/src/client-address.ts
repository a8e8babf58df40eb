import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Where a request comes from, as far as it can be believed. */
export interface Client {
  /** The caller's address; `unknown` when the connection is already gone. */
  readonly address: string;
  /** Whether the peer is a balancer of ours, whose own forwarding headers are to be continued rather than replaced. */
  readonly viaTrustedProxy: boolean;
}

export type FindClient = (request: IncomingMessage) => Client;

/**
 * Anyone can send X-Forwarded-For, so it counts only when the connection comes from one of `trusted` (addresses or
 * ranges). Then the caller is the last hop that is not itself trusted: what stands before it is hearsay.
 */
export function createFindClient(trusted: readonly string[]): FindClient {
  const list = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.length > 0 && isIP(address) !== 0 && list.check(address, familyOf(address));

  return (request) => {
    const peer = unmapped(request.socket.remoteAddress ?? 'unknown');
    if (!isTrusted(peer)) return { address: peer, viaTrustedProxy: false };
    const hops = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => unmapped(hop.trim()));
    const last = hops.findLast((hop) => !isTrusted(hop));
    return { address: last !== undefined && isIP(last) !== 0 ? last : peer, viaTrustedProxy: true };
  };
}

/** Whose limits an address counts toward: an IPv6 subscriber holds a whole /64, and must not get a bucket for each address in it. */
export function subscriberOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address that reached an IPv6 socket, as itself. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
