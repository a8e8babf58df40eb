import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

/**
 * Returns a handler that sends bytes that do not change while the process runs, gzipped when the caller accepts that. They are read and
 * compressed once, for the first such request: most gateways are never asked, and need not hold them.
 */
export function serveConstant(contentType: string, read: () => Buffer, headers: Readonly<Record<string, string>> = {}): RequestHandler {
  let kept: { readonly bytes: Buffer; readonly etag: string } | undefined;
  let gzipped: Promise<Buffer> | undefined;
  return async (request, response) => {
    kept ??= withEtag(read());
    const { bytes, etag } = kept;
    response.type(contentType).set(headers).vary('Accept-Encoding');
    if (!request.acceptsEncodings('gzip')) {
      response.set('ETag', `W/"${etag}"`).send(bytes);
      return;
    }
    gzipped ??= promisify(gzip)(bytes);
    response.set({ ETag: `W/"${etag}-gzip"`, 'Content-Encoding': 'gzip' }).send(await gzipped);
  };
}

const withEtag = (bytes: Buffer) => ({ bytes, etag: hash('sha256', bytes, 'base64url').slice(0, 22) });
