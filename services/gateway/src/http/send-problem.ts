import type { IncomingMessage, ServerResponse } from 'node:http';
import { envelopeOfProblem } from '@corner/chassis/edge';
import { oauthErrorOf, type Problem } from '@corner/contracts';

/** Bytes of a body that are read after the response was decided. */
const maxDiscardedBytes = 1024 * 1024;
/** Milliseconds in which a caller that goes on sending can read the response, before it is cut off. */
const lingerMs = 5_000;

/** Sends a problem in the common envelope, or as OAuth wants it to a client of its token endpoint. A response that has begun is cut off instead, so that it does not look complete. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  { requestId, headers = {}, oauthClient = false }: SentAs,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // A connection on which more may arrive than is read cannot be used again, and the caller has to know before it sends its next request.
  if (!isDiscardable(request)) response.shouldKeepAlive = false;
  const body = Buffer.from(JSON.stringify(oauthClient ? oauthErrorOf(problem, requestId) : envelopeOfProblem(problem, requestId)));
  response.writeHead(problem.status, {
    ...headers,
    ...problem.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  });
  response.write(body);
  // Ending may close the connection, so it waits until the caller has sent its whole body.
  discardBody(request, () => response.end());
}

interface SentAs {
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauthClient?: boolean | undefined;
}

const isDiscardable = ({ complete, headers }: IncomingMessage): boolean =>
  complete || (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= maxDiscardedBytes);

/**
 * Reads the rest of a body, up to a limit, and then calls `done`. Closing at once would reset the connection and lose the response, so a
 * caller that goes on sending has a moment to read it.
 */
export function discardBody(request: IncomingMessage, done: () => void = () => {}): void {
  if (request.complete || request.destroyed) {
    done();
    return;
  }
  let bytesLeft = maxDiscardedBytes;
  let cutOff: NodeJS.Timeout | undefined;
  request.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length;
    if (bytesLeft >= 0 || cutOff) return;
    request.pause();
    cutOff = setTimeout(() => request.destroy(), lingerMs);
  });
  request.once('close', () => {
    clearTimeout(cutOff);
    done();
  });
  request.resume();
}
