/** An address that may be shown. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password) url.password = '***';
  return url.href;
}
