import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { type Headers, measure, noteStream } from '@corner/chassis/edge';
import { Problem, problems } from '@corner/contracts';
import type { Dispatcher } from 'undici';
import { discardBody } from '../http/send-problem.ts';
import { CallerLeft, ResponseTimeout, Stopping, unavailable } from './faults.ts';
import { headersToCaller } from './forwarded-headers.ts';
import { isReplicaFault, type RepeatReason, reasonToRepeat, secondsUntilDone } from './repeat.ts';
import { faultOf, type Replica } from './replicas.ts';
import type { Upstream } from './upstreams.ts';

/** Requests being forwarded to one replica at a time, including waiting ones; further requests are refused. */
const maxUnderway = 1024;
/** Replicas that one request is sent to at most. */
const maxAttempts = 3;

/**
 * Forwards a request and streams the response back with backpressure in both directions. A service that cannot be reached, breaks the
 * connection or does not respond in time is a 503. A response that has begun is cut off instead, so that it does not look complete. When the
 * caller leaves, the request to the service is aborted. A request that no replica can have run, or that may run twice, is sent to another
 * replica within the same time limit; when that one says that the first attempt is still in progress, it is asked again.
 */
export function forward({ request, response, upstream, ...options }: Forwarding): void {
  const tried: Replica[] = [];
  const first = upstream.choose(tried);
  if (!first || first.underway >= maxUnderway) {
    options.onEnd('overloaded');
    options.refuse(unavailable('overloaded', 'The service has all the work it can take.'));
    return;
  }
  let replica = first;
  let controller: Dispatcher.DispatchController | undefined;
  let stopReason: Error | undefined;
  let ended = false;
  let streaming = false;
  /** Whether an attempt may run on without its connection. */
  let lost = false;
  let waiting: NodeJS.Timeout | undefined;

  const end = (fault?: unknown): boolean => {
    if (ended) return false;
    ended = true;
    clearTimeout(timer);
    clearTimeout(waiting);
    if (streaming) options.stopping.removeEventListener('abort', stopStream);
    else {
      replica.underway -= 1;
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
    replica.underway -= 1;
    streaming = true;
    options.onEnd();
    noteStream(response);
    options.stopping.addEventListener('abort', stopStream, { once: true });
  };
  const stopStream = (): void => stop(new Stopping());

  /** Returns the replica to send the request to again, after an attempt that ended without a response; null when it may not be sent. */
  const nextAfter = (error: unknown): Replica | null => {
    if (stopReason || response.headersSent || tried.length === maxAttempts) return null;
    const reason = reasonToRepeat(error, { started: controller !== undefined, repeatable: options.repeatable });
    if (!reason) return null;
    // A kept-alive connection ends when its process restarts: a read may succeed on a new one where there is no other replica.
    const onNewConnection = reason === 'lost' && request.method === 'GET' && tried.length === 1;
    const next = upstream.choose(tried) ?? (onNewConnection ? replica : null);
    if (next) countRepeat(reason);
    lost ||= reason === 'lost';
    return next;
  };
  const countRepeat = (reason: RepeatReason): void =>
    measure('corner.upstream.repeats', 1, { 'corner.service': upstream.service, 'corner.repeat.reason': reason });

  const begin = (status: number, headers: IncomingHttpHeaders): void => {
    clearTimeout(timer);
    options.onStatus(status, headers['idempotent-replayed'] === 'true');
    response.writeHead(status, headersToCaller(headers, options.headersToAdd));
    if (String(headers['content-type']).startsWith(eventStream)) beginStream();
  };

  const send = (to: Replica): void => {
    replica = to;
    replica.underway += 1;
    tried.push(to);
    options.onSend(to.origin);
    controller = undefined;
    /** A response that is for the gateway when it says that the lost attempt is in progress, and for the caller otherwise. */
    let held: { readonly headers: IncomingHttpHeaders; readonly chunks: Buffer[] } | undefined;
    const pool = options.isStream ? to.streams : to.pool;
    pool.dispatch(
      { path: options.path, method: request.method ?? 'GET', headers: options.headers, body: options.body as Buffer | Readable | null },
      {
        onRequestStart(started) {
          controller = started;
          if (stopReason) started.abort(stopReason);
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return;
          to.responded();
          if (lost && status === conflict) held = { headers, chunks: [] };
          else begin(status, headers);
        },
        onResponseData(current, chunk) {
          if (held) return void held.chunks.push(chunk);
          if (response.write(chunk)) return;
          current.pause();
          response.once('drain', () => current.resume());
        },
        onResponseEnd() {
          if (ended) return;
          if (held) {
            const body = Buffer.concat(held.chunks);
            const seconds = secondsUntilDone(held.headers, body);
            if (seconds !== null) {
              waiting = setTimeout(sendAgain, seconds * 1000);
              return;
            }
            begin(conflict, held.headers);
            response.write(body);
          }
          if (!end()) return;
          response.end();
          discardBody(request);
        },
        onResponseError(_controller, error) {
          // A caller who leaves while sending breaks the body, which is no fault of the replica.
          if (stopReason || error instanceof Problem || request.errored) return fail(error);
          if (isReplicaFault(error)) to.takeOut(faultOf(error));
          const next = nextAfter(error);
          if (!next) return fail(error);
          to.underway -= 1;
          send(next);
        },
      },
    );
  };
  /** Any replica may know the result by now, also one that was lost and is back. */
  const sendAgain = (): void => {
    countRepeat('in_progress');
    replica.underway -= 1;
    tried.length = 0;
    send(upstream.choose(tried) ?? replica);
  };
  send(first);
}

const conflict = problems.IDEMPOTENCY_IN_PROGRESS.status;

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream';

export interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** Path and query as the caller sent them. */
  readonly path: string;
  readonly headers: Headers;
  /** Null for no body, bytes that were read already, or the request's body as it arrives. */
  readonly body: Buffer | AsyncIterable<Buffer> | null;
  /** Whether the service may get the request a second time: its body was kept, and it changes nothing more. */
  readonly repeatable: boolean;
  /** Milliseconds in which the service must begin its response once it has the whole request. */
  readonly timeoutMs: number;
  /** Whether the caller accepts a stream of server-sent events, which takes a connection of its own. */
  readonly isStream: boolean;
  /** Aborted when the gateway stops, which ends streams. */
  readonly stopping: AbortSignal;
  /** Headers added to the response. */
  readonly headersToAdd: Headers;
  /** Called with the address of each replica that the request is sent to. */
  readonly onSend: (origin: string) => void;
  /** Called when the status is known; `replayed` says whether the response repeats an earlier one. */
  readonly onStatus: (status: number, replayed: boolean) => void;
  /** Called once when the call has ended, with the fault that ended it, if any; of a stream, when it has begun. */
  readonly onEnd: (fault?: unknown) => void;
  /** Sends a problem to the caller, since the service sent no response. */
  readonly refuse: (problem: Problem) => void;
}
