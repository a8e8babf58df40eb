import type { IncomingMessage } from 'node:http';
import type { AnyOperation } from '@corner/contracts';

/** Which pages of other origins may call, and what they may see. */
export interface Cors {
  /** The headers any answer to this request carries. */
  headersFor(request: IncomingMessage): Readonly<Record<string, string>>;
  /** The headers of the answer to a browser that asks whether it may send a request; null when this is no such question. */
  preflight(request: IncomingMessage): Readonly<Record<string, string>> | null;
}

const alwaysTaken = ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id', 'traceparent', 'tracestate'];
const exposed = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', 'Idempotent-Replayed'].join(', ');
/** Seconds a browser may remember the answer. */
const maxAge = '600';

/**
 * CORS for an exact list of origins; `*` is any. Callers bring tokens, never cookies, so credentials are not allowed.
 * Methods and headers are those of the contracts.
 */
export function createCors(origins: readonly string[], contracts: readonly AnyOperation[]): Cors {
  const listed = new Set(origins);
  const any = listed.has('*');
  const methods = [...new Set(['GET', 'HEAD', ...contracts.map(({ method }) => method)])].join(', ');
  const taken = [...new Set([...alwaysTaken, ...contracts.flatMap(({ headers }) => Object.keys(headers ?? {}))])].join(', ');
  // Without a list no answer differs by who asks.
  const varies: Readonly<Record<string, string>> = listed.size > 0 && !any ? { vary: 'Origin' } : {};

  const allowedTo = ({ headers: { origin } }: IncomingMessage): string | null =>
    origin === undefined ? null : any ? '*' : listed.has(origin) ? origin : null;

  return {
    headersFor(request) {
      const allowed = allowedTo(request);
      return allowed === null ? varies : { ...varies, 'access-control-allow-origin': allowed, 'access-control-expose-headers': exposed };
    },
    preflight(request) {
      const { headers, method } = request;
      if (method !== 'OPTIONS' || headers.origin === undefined || headers['access-control-request-method'] === undefined) return null;
      const allowed = allowedTo(request);
      return allowed === null
        ? varies
        : {
            ...varies,
            'access-control-allow-origin': allowed,
            'access-control-allow-methods': methods,
            'access-control-allow-headers': taken,
            'access-control-max-age': maxAge,
          };
    },
  };
}
