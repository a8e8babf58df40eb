import type { Target } from '../routing/routes.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the store that a request names in its body, or in its query when it has no body, for limits by store. Undefined when none can be
 * read, for example from a compressed body: all such requests of an address share one bucket, and the service decides whether they are valid.
 */
export function requestedStore({ path, pathname }: Target, body: Buffer | null): string | undefined {
  const value = body === null ? new URLSearchParams(path.slice(pathname.length)).get('store_id') : parse(body)?.store_id;
  const id = typeof value === 'string' ? value.toLowerCase() : '';
  return uuid.test(id) ? id : undefined;
}

function parse(body: Buffer): { readonly store_id?: unknown } | null {
  try {
    return JSON.parse(body.toString('utf8')) as { readonly store_id?: unknown } | null;
  } catch {
    return null;
  }
}
