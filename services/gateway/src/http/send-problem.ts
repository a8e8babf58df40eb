import type { IncomingMessage, ServerResponse } from 'node:http';
import { envelopeOfProblem } from '@corner/chassis/edge';
import type { Problem } from '@corner/contracts';
import { discardBody } from './discard-body.ts';

/**
 * Sends a problem as the response, in the envelope all problems share. A response that has begun is cut off instead, so that it does not
 * look complete.
 */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  { requestId, headers = {} }: { readonly requestId: string; readonly headers?: Readonly<Record<string, string>> },
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
  // Ending may close the connection, so it waits until the caller has sent its whole body.
  discardBody(request, () => response.end());
}
