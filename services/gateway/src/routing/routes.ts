import { type Route, routes } from '@corner/contracts';

export const routePrefixes: readonly string[] = routes.map(({ prefix }) => prefix);

/** Splits a request line's target, which is a path or an absolute URL. A fragment is invalid there and is removed. */
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

/**
 * The characters RFC 3986 allows in a path. Some parsers read a backslash as a slash, and would find another operation than the limits do.
 */
const validPath = /^[\w\-.~!$&'()*+,;=:@%/]*$/;

export interface Target {
  readonly path: string;
  readonly pathname: string;
}
