import { hash } from 'node:crypto';

/** Returns the entity tag of a response's body: equal for equal bytes. It is strong, and quoted as the ETag header wants it. */
export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** Returns whether an If-None-Match header names a tag, by the weak comparison of RFC 9110. False without the header. */
export function isNamedBy(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((named) => named.trim() === '*' || named.trim().replace(/^W\//, '') === etag);
}
