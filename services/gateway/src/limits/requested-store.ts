import { parseJson } from '@corner/chassis/edge';
import type { Target } from '../routing/routes.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the store that a request names in its path, its query or its body; undefined when none can be read. All such requests share one
 * bucket of a limit by store.
 */
export function requestedStore({ path, pathname }: Target, body: Buffer | null): string | undefined {
  const inPath = /\/stores\/([^/]+)/.exec(pathname)?.[1];
  return idIn(inPath ?? (body === null ? new URLSearchParams(path.slice(pathname.length)).get('store_id') : fieldsOf(body)?.store_id));
}

export function requestedClient(authorization: string | undefined, body: Buffer | null): string | undefined {
  const basic = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (basic !== undefined) return idIn(Buffer.from(basic, 'base64').toString().split(':')[0]);
  if (body === null) return undefined;
  return idIn(fieldsOf(body)?.client_id ?? new URLSearchParams(body.toString('utf8')).get('client_id'));
}

function idIn(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.toLowerCase() : '';
  return uuid.test(id) ? id : undefined;
}

const fieldsOf = (body: Buffer) => parseJson(body) as { readonly store_id?: unknown; readonly client_id?: unknown } | null | undefined;
