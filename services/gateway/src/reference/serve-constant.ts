import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

/**
 * Returns a handler that sends bytes that do not change while the process runs, gzipped when the caller accepts that. They are compressed
 * once, for the first such request, so that later requests cost no compression.
 */
export function serveConstant(contentType: string, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): RequestHandler {
  const etag = hash('sha256', bytes, 'base64url').slice(0, 22);
  let gzipped: Promise<Buffer> | undefined;
  return async (request, response) => {
    response.type(contentType).set(headers).vary('Accept-Encoding');
    if (!request.acceptsEncodings('gzip')) {
      response.set('ETag', `W/"${etag}"`).send(bytes);
      return;
    }
    gzipped ??= promisify(gzip)(bytes);
    response.set({ ETag: `W/"${etag}-gzip"`, 'Content-Encoding': 'gzip' }).send(await gzipped);
  };
}
