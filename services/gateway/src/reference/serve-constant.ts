import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';

/**
 * Returns a handler of bytes that do not change while the process runs. They are read and compressed for the first request. Without a
 * Cache-Control among `headers`, a caller revalidates each time.
 */
export function serveConstant(contentType: string, read: () => Buffer, headers: Readonly<Record<string, string>> = {}): RequestHandler {
  let kept: { readonly bytes: Buffer; readonly etag: string } | undefined;
  const compressed = new Map<Encoding, Promise<Buffer>>();
  return async (request, response) => {
    kept ??= withEtag(read());
    const { bytes, etag } = kept;
    response
      .type(contentType)
      .set({ 'Cache-Control': 'no-cache', ...headers })
      .vary('Accept-Encoding');
    const encoding = encodingFor(request);
    if (!encoding) {
      response.set('ETag', `W/"${etag}"`).send(bytes);
      return;
    }
    const body = compressed.get(encoding) ?? compress[encoding](bytes);
    compressed.set(encoding, body);
    response.set({ ETag: `W/"${etag}-${encoding}"`, 'Content-Encoding': encoding }).send(await body);
  };
}

const compress = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};
type Encoding = keyof typeof compress;

/** Brotli before gzip, since it is smaller; a browser that accepts both does not say which it prefers. */
const encodingFor = (request: Request): Encoding | undefined =>
  (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) === encoding);

const withEtag = (bytes: Buffer) => ({ bytes, etag: hash('sha256', bytes, 'base64url').slice(0, 22) });
