import type { Target } from './routes.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The store a request names, in the body or in the query, for limits by store. Undefined when none can be read, also in a
 * compressed body: all such requests of an address share one bucket, and whether they are in order is the service's to say.
 */
export function storeNamedBy({ path, pathname }: Target, body: Buffer | null): string | undefined {
  const named = body === null ? new URLSearchParams(path.slice(pathname.length)).get('store_id') : parsed(body)?.store_id;
  const id = typeof named === 'string' ? named.toLowerCase() : '';
  return uuid.test(id) ? id : undefined;
}

function parsed(body: Buffer): { readonly store_id?: unknown } | null {
  try {
    return JSON.parse(body.toString('utf8')) as { readonly store_id?: unknown } | null;
  } catch {
    return null;
  }
}
