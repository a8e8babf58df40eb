import { hash } from 'node:crypto';
import { Problem } from '@corner/contracts';

export const envelopeOfProblem = ({ code, message, fields }: Problem, requestId: string) => ({
  error: { code, message, requestId, ...fields },
});

/** Turns an error of express's body parsers or router into a Problem. Returns any other error unchanged. */
export function bodyProblem(error: unknown): unknown {
  const type = (error as { type?: unknown })?.type;
  if (type === 'entity.parse.failed' || type === 'request.size.invalid') return new Problem('INVALID_JSON');
  if (type === 'entity.too.large')
    return new Problem('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${(error as { limit: number }).limit / 1024} KiB.` });
  if (type === 'parameters.too.many')
    return new Problem('VALIDATION_FAILED', { message: 'The form has more than 1,000 fields; send those that the operation names.' });
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new Problem('UNSUPPORTED_MEDIA_TYPE', { message: 'The body must be UTF-8 JSON, at most gzip encoded.' });
  if (type === 'request.aborted') return new Problem('INVALID_JSON', { message: 'The body ended early.' });
  if (error instanceof URIError) return new Problem('ROUTE_NOT_FOUND');
  // Every other 400 of the body parsers is the sender's fault: each decompressor has its own message.
  if ((error as { status?: unknown })?.status === 400 && (error as { expose?: unknown }).expose === true)
    return new Problem('INVALID_JSON', { message: 'The body cannot be read: it is not encoded as it says.' });
  return error;
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

const maxDepth = 100;

/**
 * Returns JSON that is equal for bodies of equal meaning: sorted, and without null fields unless `nulls` keeps them. Throws INVALID_JSON
 * when nested too deep.
 */
export function canonicalJson(value: unknown, nulls: 'dropped' | 'kept' = 'dropped', depth = 0): string {
  if (depth > maxDepth) throw new Problem('INVALID_JSON', { message: `The body is nested more than ${maxDepth} deep.` });
  if (Array.isArray(value)) return `[${value.map((entry) => canonicalJson(entry, nulls, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined && (entry !== null || nulls === 'kept'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry, nulls, depth + 1)}`).join(',')}}`;
}

export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** Compares weakly (RFC 9110). Returns false without the header. */
export function isNamedBy(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && tagsIn(ifNoneMatch).some((named) => named === '*' || named === etag);
}

export const tagsIn = (ifNoneMatch: string): string[] => ifNoneMatch.split(',').map((named) => named.trim().replace(/^W\//, ''));
