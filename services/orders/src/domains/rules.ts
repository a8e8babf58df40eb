/** Returns the domain of the shop's pages that the provider can register; null for an address that only this machine or network reaches. */
export function domainOf(shopUrl: string | undefined): string | null {
  const { protocol, hostname } = new URL(shopUrl ?? 'http://localhost');
  // The last part of an IP address begins with a digit.
  return protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(hostname) && !hostname.endsWith('.localhost') ? hostname : null;
}
