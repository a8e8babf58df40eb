import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns what an address counts toward in limits: itself, or an IPv6 address's /64, because a subscriber holds a whole /64. */
export function subscriberOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
