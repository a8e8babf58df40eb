import { type AnyOperation, needsVersion, Problem } from '@corner/contracts';
import type { Request } from 'express';

/** Returns null for `*`, and for an operation that needs no version. Throws VERSION_REQUIRED, VALIDATION_FAILED. */
export function expectedVersionOf(contract: AnyOperation, request: Request): number | null {
  if (!needsVersion(contract)) return null;
  const named = request.get('if-match')?.trim();
  if (named === undefined || named === '') throw new Problem('VERSION_REQUIRED');
  if (named === '*') return null;
  const version = /^"(\d{1,15})"$/.exec(named)?.[1];
  if (version === undefined)
    throw new Problem('VALIDATION_FAILED', { message: 'If-Match: must be one ETag as a read returned it, such as "17", or *' });
  return Number(version);
}

export function versionTagOf(body: string): string {
  const { version } = JSON.parse(body) as { readonly version?: unknown };
  if (!Number.isInteger(version)) throw new TypeError('The reply of a versioned operation has no version.');
  return `"${version}"`;
}
