import type { IncomingMessage } from 'node:http';
import { Problem } from '@corner/contracts';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws PAYLOAD_TOO_LARGE when Content-Length announces more than `maxBytes`. */
export function refuseLargeBody({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Reads the whole body, so that a slow sender delays only itself: the server behind gets the request when it is complete. Throws
 * PAYLOAD_TOO_LARGE as soon as more than `maxBytes` have arrived; the request stays open for the response.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${maxBytes / 1024} KiB.` });
