import type { Target } from '../routing/routes.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the store that a request names, for limits by store; undefined when none can be read. All such requests share one bucket. */
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
