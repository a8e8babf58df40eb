import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Problem } from '@corner/contracts';
import type { Dispatcher } from 'undici';
import { discardRest } from './answer.ts';
import { type Headers, headersToCaller } from './headers.ts';
import { faultOf, type Upstream } from './upstreams.ts';

export interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** Path and query, as they came. */
  readonly path: string;
  readonly headers: Headers;
  /** What is sent on: nothing, bytes already read, or the request's body as it comes. */
  readonly body: Buffer | AsyncIterable<Buffer> | null;
  /** Milliseconds the service may take to begin its answer once it has the whole request. */
  readonly timeoutMs: number;
  /** Headers to add to the answer. */
  readonly added: Headers;
  /** Told the status as soon as it is known, and whether the answer is one given before. */
  readonly answered: (status: number, replayed: boolean) => void;
  /** Told when the call is over: without a fault, or with the one that ended it. */
  readonly over: (fault?: unknown) => void;
  /** Answers the caller when the service does not. */
  readonly refuse: (problem: Problem) => void;
}

/** Requests forwarded to one service at a time, waiting ones included; further ones are told to come back. */
const mostUnderway = 1024;

/**
 * Forwards a request and streams the answer back, holding each side to the other's pace. A service that cannot be
 * reached, breaks off or keeps silent is a 503; an answer already begun is cut off instead, so that nobody takes half
 * for the whole. When the caller goes, so does the request. A GET that met a connection its service was just closing is
 * sent once more.
 */
export function forward({ request, response, upstream, ...given }: Forwarding): void {
  if (upstream.underway >= mostUnderway) {
    given.over('overloaded');
    given.refuse(unavailable('overloaded', 'The service has all the work it can take.'));
    return;
  }
  upstream.underway += 1;
  let controller: Dispatcher.DispatchController | undefined;
  let stopped: Error | undefined;
  let mayRepeat = request.method === 'GET' && given.body === null;
  let over = false;

  const end = (fault?: unknown): boolean => {
    if (over) return false;
    over = true;
    clearTimeout(timer);
    upstream.underway -= 1;
    given.over(fault);
    return true;
  };
  const fail = (error: unknown): void => {
    if (!end(error) || error instanceof CallerLeft) return;
    if (response.headersSent) response.destroy();
    else given.refuse(error instanceof Problem ? error : unavailable(error));
  };
  /** Ends the call from our side, also while it still waits for a connection. */
  const stop = (reason: Error): void => {
    stopped ??= reason;
    controller?.abort(reason);
    fail(reason);
  };
  // The service is waited for, not the caller: while the request is still coming in, the server's own time limit holds.
  const timer = setTimeout(() => (controller && !request.complete ? timer.refresh() : stop(new Silent(upstream.service))), given.timeoutMs);
  response.once('close', () => {
    if (!response.writableFinished) stop(new CallerLeft());
  });

  const send = (): void => {
    upstream.pool.dispatch(
      { path: given.path, method: request.method ?? 'GET', headers: given.headers, body: given.body as Buffer | Readable | null },
      {
        onRequestStart(started) {
          controller = started;
          if (stopped) started.abort(stopped);
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return;
          clearTimeout(timer);
          upstream.fault = null;
          given.answered(status, headers['idempotent-replayed'] === 'true');
          response.writeHead(status, headersToCaller(headers, given.added));
        },
        onResponseData(current, chunk) {
          if (response.write(chunk)) return;
          current.pause();
          response.once('drain', () => current.resume());
        },
        onResponseEnd() {
          if (!end()) return;
          response.end();
          discardRest(request);
        },
        onResponseError(_controller, error) {
          if (mayRepeat && !stopped && !response.headersSent && brokeOff.has(faultOf(error))) {
            mayRepeat = false;
            send();
            return;
          }
          if (!stopped && !(error instanceof Problem)) upstream.fault = faultOf(error);
          fail(error);
        },
      },
    );
  };
  send();
}

/** A connection that ended before any answer: what a kept-alive one looks like when its service restarts. */
const brokeOff = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** The caller went before its answer was there. */
export class CallerLeft extends Error {
  override name = 'CallerLeft';
}

class Silent extends Error {
  override name = 'Silent';
  constructor(service: string) {
    super(`${service} did not begin its answer in time`);
  }
}

const unavailable = (cause: unknown, message?: string): Problem =>
  new Problem('UPSTREAM_UNAVAILABLE', { cause, retryAfterSeconds: 1, ...(message ? { message } : {}) });
