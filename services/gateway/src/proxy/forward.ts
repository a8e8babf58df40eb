import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { noteStream } from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import type { Dispatcher } from 'undici';
import { discardBody } from '../http/discard-body.ts';
import { type Headers, headersToCaller } from './forwarded-headers.ts';
import { faultOf, type Upstream } from './upstreams.ts';

/** Requests being forwarded to one service at a time, including waiting ones; further requests are refused. */
const maxUnderway = 1024;

/**
 * Forwards a request and streams the response back with backpressure in both directions. A service that cannot be reached, breaks the
 * connection or does not respond in time is a 503. A response that has begun is cut off instead, so that it does not look complete. When the
 * caller leaves, the request to the service is aborted. A GET whose connection was closed before any response is sent once more.
 */
export function forward({ request, response, upstream, ...options }: Forwarding): void {
  if (upstream.underway >= maxUnderway) {
    options.onEnd('overloaded');
    options.refuse(unavailable('overloaded', 'The service has all the work it can take.'));
    return;
  }
  upstream.underway += 1;
  let controller: Dispatcher.DispatchController | undefined;
  let stopReason: Error | undefined;
  let mayRepeat = request.method === 'GET' && options.body === null;
  let ended = false;
  let streaming = false;

  const end = (fault?: unknown): boolean => {
    if (ended) return false;
    ended = true;
    clearTimeout(timer);
    if (streaming) options.stopping.removeEventListener('abort', stopStream);
    else {
      upstream.underway -= 1;
      options.onEnd(fault);
    }
    return true;
  };
  const fail = (error: unknown): void => {
    if (!end(error) || error instanceof CallerLeft) return;
    if (error instanceof Stopping) response.end();
    else if (response.headersSent) response.destroy();
    else options.refuse(error instanceof Problem ? error : unavailable(error));
  };
  /** Aborts the call, also while it still waits for a connection. */
  const stop = (reason: Error): void => {
    stopReason ??= reason;
    controller?.abort(reason);
    fail(reason);
  };
  // The time limit is for the service. While the caller still sends its request, the server's own time limit applies.
  const timer = setTimeout(
    () => (controller && !request.complete ? timer.refresh() : stop(new ResponseTimeout(upstream.service))),
    options.timeoutMs,
  );
  response.once('close', () => {
    if (!response.writableFinished) stop(new CallerLeft());
  });

  /** A stream is not work: it waits for changes, perhaps for hours. */
  const beginStream = (): void => {
    upstream.underway -= 1;
    streaming = true;
    options.onEnd();
    noteStream(response);
    options.stopping.addEventListener('abort', stopStream, { once: true });
  };
  const stopStream = (): void => stop(new Stopping());

  const send = (): void => {
    const pool = options.isStream ? upstream.streams : upstream.pool;
    pool.dispatch(
      { path: options.path, method: request.method ?? 'GET', headers: options.headers, body: options.body as Buffer | Readable | null },
      {
        onRequestStart(started) {
          controller = started;
          if (stopReason) started.abort(stopReason);
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return;
          clearTimeout(timer);
          upstream.fault = null;
          options.onStatus(status, headers['idempotent-replayed'] === 'true');
          response.writeHead(status, headersToCaller(headers, options.headersToAdd));
          if (String(headers['content-type']).startsWith(eventStream)) beginStream();
        },
        onResponseData(current, chunk) {
          if (response.write(chunk)) return;
          current.pause();
          response.once('drain', () => current.resume());
        },
        onResponseEnd() {
          if (!end()) return;
          response.end();
          discardBody(request);
        },
        onResponseError(_controller, error) {
          if (mayRepeat && !stopReason && !response.headersSent && connectionFaults.has(faultOf(error))) {
            mayRepeat = false;
            send();
            return;
          }
          if (!stopReason && !(error instanceof Problem)) upstream.fault = faultOf(error);
          fail(error);
        },
      },
    );
  };
  send();
}

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream';

/** Codes of a connection that closed before any response, as a kept-alive connection does when its service restarts. */
const connectionFaults = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** The caller closed the connection before the response was complete. */
export class CallerLeft extends Error {
  override name = 'CallerLeft';
}

/** The gateway stops: a stream ends, and its client connects to another one. */
class Stopping extends Error {
  override name = 'Stopping';
}

class ResponseTimeout extends Error {
  override name = 'ResponseTimeout';
  constructor(service: string) {
    super(`${service} did not begin its response in time`);
  }
}

const unavailable = (cause: unknown, message?: string): Problem =>
  new Problem('UPSTREAM_UNAVAILABLE', { cause, retryAfterSeconds: 1, ...(message ? { message } : {}) });

export interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** Path and query as the caller sent them. */
  readonly path: string;
  readonly headers: Headers;
  /** Null for no body, bytes that were read already, or the request's body as it arrives. */
  readonly body: Buffer | AsyncIterable<Buffer> | null;
  /** Milliseconds in which the service must begin its response once it has the whole request. */
  readonly timeoutMs: number;
  /** Whether the caller accepts a stream of server-sent events, which takes a connection of its own. */
  readonly isStream: boolean;
  /** Aborted when the gateway stops, which ends streams. */
  readonly stopping: AbortSignal;
  /** Headers added to the response. */
  readonly headersToAdd: Headers;
  /** Called when the status is known; `replayed` says whether the response repeats an earlier one. */
  readonly onStatus: (status: number, replayed: boolean) => void;
  /** Called once when the call has ended, with the fault that ended it, if any; of a stream, when it has begun. */
  readonly onEnd: (fault?: unknown) => void;
  /** Sends a problem to the caller, since the service sent no response. */
  readonly refuse: (problem: Problem) => void;
}
