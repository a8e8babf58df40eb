/** Milliseconds that a server may take to accept a connection: a machine that starts a whole system is busy. An address that refuses fails at once. */
export const connectMs = 30_000;

/** Returns an address of Postgres with its password replaced by asterisks, so that it may be printed. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password) url.password = '***';
  return url.href;
}
