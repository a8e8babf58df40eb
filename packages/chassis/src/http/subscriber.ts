import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns an IPv4 address that arrived on an IPv6 socket (::ffff:192.0.2.1) as an IPv4 address, and any other unchanged. */
export const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Returns the unit that limits count by: the address, or an IPv6 address's /64, because a subscriber holds a whole /64. */
export function subscriberOf(given: string): string {
  const address = withoutMapping(given);
  if (isIP(address) !== 6) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
