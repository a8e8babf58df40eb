import type { IncomingMessage, ServerResponse } from 'node:http';
import { envelopeOfProblem } from '@corner/chassis/edge';
import type { Problem } from '@corner/contracts';

/** Bytes of a body read past a refusal. A sender that is cut off while it still sends would never see the answer. */
const mostDiscarded = 1024 * 1024;

/** Answers a refusal in the one shape, with `headers` besides its own. An answer already begun is cut off: it must not look complete. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(envelopeOfProblem(problem, requestId)));
  response.writeHead(problem.status, {
    ...headers,
    ...problem.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  });
  response.write(body);
  // Ending closes the connection where the caller asked for that, so it waits for the caller to have sent everything.
  discardRest(request, () => response.end());
}

/** Reads what is left of a body, so that the connection can be used again; one that goes on too long is cut. Then calls `done`. */
export function discardRest(request: IncomingMessage, done: () => void = () => {}): void {
  if (request.complete || request.destroyed) {
    done();
    return;
  }
  let left = mostDiscarded;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.once('close', done);
  request.resume();
}
