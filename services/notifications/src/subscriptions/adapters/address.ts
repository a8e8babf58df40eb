import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface ReceiverSettings {
  /** Hosts, or hosts with a port, that the operator allows besides: over http too, and at private addresses. */
  readonly allowedHosts: readonly string[];
  /** Host names of this system: no receiver is there. */
  readonly ownHosts: readonly string[];
}

/** Names that mean something in one network or on one machine only. */
const privateSuffixes = ['.local', '.internal', '.localhost', '.home.arpa'];

/**
 * Returns why a receiver's address, which a stranger chose, is refused, as a predicate such as "must begin with https://"; null when it is
 * allowed. A host name may still lead to a private address: that is checked when it is called.
 */
export function faultOfAddress(address: string, settings: ReceiverSettings): string | null {
  const url = URL.parse(address);
  if (!url) return 'must be an absolute address';
  const isAllowed = isAllowedHost(url, settings.allowedHosts);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowed)) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password';
  if (address.includes('#')) return 'must not have a fragment';
  return isAllowed ? null : faultOfHost(hostOf(url), settings.ownHosts);
}

function faultOfHost(host: string, ownHosts: readonly string[]): string | null {
  if (ownHosts.includes(host)) return 'must not be an address of this system';
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'must be at a public address';
  const isPrivate = !host.includes('.') || privateSuffixes.some((suffix) => host.endsWith(suffix));
  return isPrivate ? 'must be at a public host name' : null;
}

/** Returns whether the operator allows a host besides the public ones. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowedHosts.includes(url.hostname) || allowedHosts.includes(`${url.hostname}:${port}`);
}

/** Returns the host without the brackets of IPv6 and the full stop that ends an absolute name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');

/**
 * Returns whether an address belongs to one host of the internet, as far as an address shows it. An IPv4 address inside one of IPv6, where
 * it is mapped or a network translates it (NAT64), counts itself. Those of tunnels (6to4, Teredo) are refused.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  const { parts } = address as ipaddr.IPv6;
  if (address.match(translated)) return isPublicAddress(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString());
  // All that is assigned to hosts is in 2000::/3. Outside of it the library calls some old forms unicast, as ::127.0.0.1.
  return ((parts[0] ?? 0) & 0xe000) === 0x2000 && address.range() === 'unicast';
}

const translated = ipaddr.parseCIDR('64:ff9b::/96');
