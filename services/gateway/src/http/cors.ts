import type { IncomingMessage } from 'node:http';
import type { AnyOperation } from '@corner/contracts';

const standardRequestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'traceparent',
  'tracestate',
];
const exposedHeaders = ['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', 'Idempotent-Replayed'].join(', ');
const maxAge = '600';

const localPage = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Returns CORS for a list of origins; `*` allows any. Callers send tokens and no cookies, so credentials are not allowed. */
export function createCors({ origins, localPages }: AllowedOrigins, contracts: readonly AnyOperation[]): Cors {
  const listed = new Set(origins);
  const allowsAny = listed.has('*');
  const methods = [...new Set(['GET', 'HEAD', ...contracts.map(({ method }) => method)])].join(', ');
  const contractHeaders = contracts.flatMap(({ headers }) => Object.keys(headers ?? {}));
  const requestHeaders = [...new Set([...standardRequestHeaders, ...contractHeaders])].join(', ');
  const vary: Headers = (listed.size > 0 || localPages) && !allowsAny ? { vary: 'Origin' } : {};
  const isAllowed = (origin: string) => listed.has(origin) || (localPages && localPage.test(origin));

  const allowedOrigin = ({ headers: { origin } }: IncomingMessage): string | null =>
    origin === undefined ? null : allowsAny ? '*' : isAllowed(origin) ? origin : null;

  return {
    headersFor(request) {
      const origin = allowedOrigin(request);
      if (origin === null) return vary;
      return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders };
    },
    preflight(request) {
      const { headers, method } = request;
      if (method !== 'OPTIONS' || headers.origin === undefined || headers['access-control-request-method'] === undefined) return null;
      const origin = allowedOrigin(request);
      if (origin === null) return vary;
      return {
        ...vary,
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': maxAge,
      };
    },
  };
}

interface AllowedOrigins {
  readonly origins: readonly string[];
  readonly localPages: boolean;
}

type Headers = Readonly<Record<string, string>>;

export interface Cors {
  headersFor(request: IncomingMessage): Headers;
  /** Null when the request is not a preflight. */
  preflight(request: IncomingMessage): Headers | null;
}
