import { type ServiceName, services } from '@corner/contracts';

/** A service owns every path under its own name, so a new operation needs no change here. */
const routes: readonly Route[] = [
  ...services.map((service): Route => ({ prefix: `/api/v1/${service}`, service, kind: 'operations' })),
  { prefix: '/webhooks/stripe', service: 'orders', kind: 'webhook' },
  { prefix: '/unsubscribe', service: 'notifications', kind: 'page' },
];

/** The prefixes of all routes; a request that is for no known operation is counted under its prefix. */
export const routePrefixes: readonly string[] = routes.map(({ prefix }) => prefix);

/** Splits a request line's target, which is a path or an absolute URL. A fragment does not belong there and is removed. */
export function targetOf(url: string): Target {
  const [path = ''] = (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')).split('#', 1);
  const query = path.indexOf('?');
  return { path, pathname: query === -1 ? path : path.slice(0, query) };
}

/** Returns the route of a pathname; undefined when there is none, or when two parsers could read the pathname differently. */
export function routeOf(pathname: string): Route | undefined {
  const route = routes.find(
    ({ prefix }) => pathname.startsWith(prefix) && (pathname.length === prefix.length || pathname[prefix.length] === '/'),
  );
  return route && validPath.test(pathname) ? route : undefined;
}

/** The characters RFC 3986 allows in a path. Some parsers read a backslash as a slash, and would find another operation than the limits do. */
const validPath = /^[\w\-.~!$&'()*+,;=:@%/]*$/;

/** Which service a path belongs to. */
export interface Route {
  readonly prefix: string;
  readonly service: ServiceName;
  /**
   * A `webhook` comes from an outside party that signs its exact bytes; it is not rate limited. A `page` is HTML for people, which may have
   * a form.
   */
  readonly kind: 'operations' | 'webhook' | 'page';
}

export interface Target {
  /** Path and query as sent, for the service. */
  readonly path: string;
  /** `path` without the query. */
  readonly pathname: string;
}
