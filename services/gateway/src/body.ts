import type { IncomingMessage } from 'node:http';
import { Problem } from '@corner/contracts';

/** Whether a request carries a body, by what it says of itself. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws PAYLOAD_TOO_LARGE when the body says beforehand that it is larger than `most` bytes. */
export function refuseLarge({ headers }: IncomingMessage, most: number): void {
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(most);
}

/** The body as it comes in, part by part. Throws PAYLOAD_TOO_LARGE as soon as more than `most` bytes have come. */
export async function* bodyOf(request: IncomingMessage, most: number): AsyncGenerator<Buffer, void, undefined> {
  let length = 0;
  // The request outlives this loop: it still has to be answered when the loop ends early.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw tooLarge(most);
    yield chunk;
  }
}

/** The whole body. Throws PAYLOAD_TOO_LARGE as {@link bodyOf} does. */
export async function wholeBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyOf(request, most)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const tooLarge = (most: number): Problem => new Problem('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${most / 1024} KiB.` });
