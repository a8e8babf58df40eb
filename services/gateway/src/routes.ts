import { type ServiceName, services } from '@corner/contracts';

/** Where a path leads. */
export interface Route {
  readonly prefix: string;
  readonly service: ServiceName;
  /** `webhook`: signed by a party that is no client of ours; its bytes are sacred and it is never turned away for its rate. */
  readonly kind: 'operations' | 'webhook';
}

/** A service owns all paths under its own name, so a new operation changes nothing here. */
const routes: readonly Route[] = [
  ...services.map((service): Route => ({ prefix: `/api/v1/${service}`, service, kind: 'operations' })),
  { prefix: '/webhooks/stripe', service: 'orders', kind: 'webhook' },
];

/** What a request outside every operation is counted under. */
export const prefixes: readonly string[] = routes.map(({ prefix }) => prefix);

/** A request's target, split. `path` is as sent, for the service to read; `pathname` is its part before the query. */
export interface Target {
  readonly path: string;
  readonly pathname: string;
}

/** Reads a request line's target, be it a path or a whole address; a fragment has no business there and is cut off. */
export function targetOf(url: string): Target {
  const [path = ''] = (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')).split('#', 1);
  const query = path.indexOf('?');
  return { path, pathname: query === -1 ? path : path.slice(0, query) };
}

/** The route of a pathname; undefined when there is none, or when two readers could disagree about what it says. */
export function routeOf(pathname: string): Route | undefined {
  const route = routes.find(
    ({ prefix }) => pathname.startsWith(prefix) && (pathname.length === prefix.length || pathname[prefix.length] === '/'),
  );
  return route && plain.test(pathname) ? route : undefined;
}

/** What RFC 3986 lets a path hold. Some parsers read a backslash as a slash, and would see another operation than the limits do. */
const plain = /^[\w\-.~!$&'()*+,;=:@%/]*$/;
