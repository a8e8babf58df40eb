/** Returns the address with its password replaced by asterisks, so that it may be printed. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password) url.password = '***';
  return url.href;
}
