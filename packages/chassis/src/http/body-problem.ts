import { Problem } from '@corner/contracts';

/** Returns the Problem for an error of express's body parsers and of its router; any other error unchanged. */
export function bodyProblem(error: unknown): unknown {
  const type = (error as { type?: unknown })?.type;
  if (type === 'entity.parse.failed' || type === 'request.size.invalid') return new Problem('INVALID_JSON');
  if (type === 'entity.too.large') return new Problem('PAYLOAD_TOO_LARGE');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new Problem('UNSUPPORTED_MEDIA_TYPE', { message: 'The body must be UTF-8 JSON, at most gzip encoded.' });
  if (type === 'request.aborted') return new Problem('INVALID_JSON', { message: 'The body ended early.' });
  if (error instanceof URIError) return new Problem('ROUTE_NOT_FOUND');
  // Every other 400 of the body parsers is the sender's fault: each decompressor has its own message.
  if ((error as { status?: unknown })?.status === 400 && (error as { expose?: unknown }).expose === true)
    return new Problem('INVALID_JSON', { message: 'The body cannot be read: it is not encoded as it says.' });
  return error;
}
