/** An address with most of it replaced by dots, so that it is recognised by who knows it and of no use to others. Null stays null. */
export function maskAddress(channel: 'push' | 'email' | 'sms', address: string | null): string | null {
  if (!address) return null;
  if (channel !== 'email') return `…${address.slice(-2)}`;
  const at = address.lastIndexOf('@');
  return `${at > 1 ? address.slice(0, 1) : ''}…${address.slice(at)}`;
}
