/** Reads a `Retry-After` header, a number of seconds or a date, as seconds. Returns 0 when it is absent or unreadable. */
export function parseRetryAfter(header: string | null, now: Date): number {
  if (!header) return 0;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(header);
  return Number.isNaN(until) ? 0 : Math.max(0, Math.ceil((until - now.getTime()) / 1000));
}

/** Names a network error without personal data: its code, such as ECONNREFUSED, or the name of its class. */
export function networkErrorCode(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  return String((typeof cause?.code === 'string' && cause.code) || (typeof code === 'string' && code) || name || 'fault');
}
