import type { IncomingMessage, ServerResponse } from 'node:http';
import { envelopeOfProblem } from '@corner/chassis/edge';
import { oauthErrorOf, type Problem } from '@corner/contracts';

/**
 * Bytes of a body that are read after the response was decided, and milliseconds in which a caller that keeps sending can read the
 * response.
 */
const maxDiscardedBytes = 1024 * 1024;
const lingerMs = 5_000;

/**
 * Sends a problem in the common envelope, or as OAuth requires to a client of its token endpoint. A response that has begun is cut off
 * instead, so that it does not look complete. The connection closes if more may arrive than is read, after the caller has sent its body.
 */
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
  discardBody(request, () => response.end());
}

interface SentAs {
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauthClient?: boolean | undefined;
}

const isDiscardable = ({ complete, headers }: IncomingMessage): boolean =>
  complete || (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= maxDiscardedBytes);

/** Reads the rest of a body, up to a limit, and then calls `done`. Closing at once would reset the connection and lose the response. */
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
