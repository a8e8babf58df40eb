import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `allowedHosts`: hosts, or hosts with a port, that the operator also allows, over http too and at private addresses. `ownHosts` are names
 * of this system, which cannot be receivers.
 */
export interface ReceiverSettings {
  readonly allowedHosts: readonly string[];
  readonly ownHosts: readonly string[];
}

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

export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowedHosts.includes(url.hostname) || allowedHosts.includes(`${url.hostname}:${port}`);
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');

/**
 * Returns whether an address belongs to one host of the internet. An IPv4 address that is mapped into IPv6 or translated (NAT64) is judged
 * itself. Those of tunnels (6to4, Teredo) are refused. All hosts have addresses in 2000::/3; outside of it the library calls some old forms
 * unicast, such as ::127.0.0.1.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  const { parts } = address as ipaddr.IPv6;
  if (address.match(translated)) return isPublicAddress(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString());
  return ((parts[0] ?? 0) & 0xe000) === 0x2000 && address.range() === 'unicast';
}

const translated = ipaddr.parseCIDR('64:ff9b::/96');
