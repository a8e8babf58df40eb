import type { IncomingHttpHeaders } from 'node:http';
import {
  createStreamLimits,
  currentTracer,
  endToEnd,
  type Headers,
  hasBody,
  mayFollow,
  nameEntryPoints,
  noteStream,
  readBody,
  refuseLargeBody,
  requestIdOf,
  setByProxies,
} from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import type { Express, Request, Response } from 'express';
import { Pool } from 'undici';
import { createTurns } from './turns.ts';

const route = '/api/v1/*operation';
/** For requests only: streams have connections of their own, limited by the number of streams. */
const connections = 256;
const mostWaiting = 1_000;
const waitMs = 5_000;
/** Milliseconds without a byte after which a stream has broken: a service writes at least every 15 seconds. */
const silentStreamMs = 60_000;
/** Streams that one person may have open: ten at each of the services that have some. */
const perCaller = 30;
const longestTimer = 2 ** 31 - 1;

/**
 * Adds `/api/v1`, which is forwarded to the gateway for the caller that `admit` returns. A body is read before a connection is taken, and
 * streams of events take no connection from requests. The gateway's response is passed on, refusals too. Without a connection or a response
 * in time it is a 503; a response that has begun is cut off instead.
 */
export function forwardOperations(app: Express, options: ForwardingOptions): AsyncDisposable {
  const { gatewayUrl, timeoutMs, maxBodyBytes, admit, now, stopping } = options;
  const shared = { headersTimeout: timeoutMs, connect: { timeout: Math.min(timeoutMs, waitMs) } };
  const requests = new Pool(gatewayUrl, { ...shared, connections, bodyTimeout: timeoutMs });
  const streams = new Pool(gatewayUrl, { ...shared, bodyTimeout: silentStreamMs });
  const limits = createStreamLimits({ max: options.maxStreams, perCaller });
  const turns = createTurns({ count: connections, mostWaiting, waitMs: Math.min(timeoutMs, waitMs) });
  nameEntryPoints('http.route', [route]);
  app.all(route, async (request, response) => {
    const { authorization, caller, endsAt, untilRevoked } = await admit(request, response);
    refuseLargeBody(request, maxBodyBytes);
    const body = hasBody(request) ? await readBody(request, maxBodyBytes).catch(unlessLeft(request)) : null;
    if (response.destroyed || request.errored) return;
    const left = leavingOf(response);
    const endStream = () =>
      AbortSignal.any([
        stopping,
        ...(endsAt ? [afterMs(endsAt.getTime() - now().getTime())] : []),
        ...(untilRevoked ? [untilRevoked(response)] : []),
      ]);
    const isStream = request.method === 'GET' && mayFollow(request.headers.accept);
    const owner = { address: request.ip ?? 'unknown', caller };
    using _held = isStream ? limits.open(owner) : await turns.take(left.signal).catch(unlessLeft(left.signal));
    if (left.signal.aborted) return;
    await forward(isStream ? streams : requests, { request, response, body, left, authorization, endStream });
  });
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([requests.close(), streams.close()]);
      limits[Symbol.dispose]();
    },
  };
}

const unlessLeft = (seen: Request | AbortSignal) => (error: unknown) => {
  if ('aborted' in seen && seen.aborted) return null;
  if ('errored' in seen && seen.errored && !(error instanceof Problem)) return null;
  throw error;
};

function leavingOf(response: Response): AbortController {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left;
}

interface Forwarding {
  readonly request: Request;
  readonly response: Response;
  readonly body: Buffer | null;
  readonly left: AbortController;
  readonly authorization: string | undefined;
  /** Ends a stream of events. Any other response is waited for, also while the server stops. */
  endStream(): AbortSignal;
}

async function forward(pool: Pool, { request, response, body, left, authorization, endStream }: Forwarding): Promise<void> {
  const attributes = { 'service.peer.name': 'gateway', 'http.request.method': request.method };
  const span = currentTracer().startSpan(`${request.method} gateway`, { kind: SpanKind.CLIENT, attributes });
  const carried: Record<string, string> = {};
  propagation.inject(trace.setSpan(context.active(), span), carried);
  const headers = headersToGateway(request.headers, {
    ...carried,
    ...(authorization === undefined ? {} : { authorization }),
    ...(request.ip === undefined ? {} : { 'x-forwarded-for': request.ip }),
    'x-request-id': requestIdOf(request),
  });
  try {
    await pool.stream({ path: request.originalUrl, method: request.method as 'GET', headers, body, signal: left.signal }, (received) => {
      const answered = received as typeof received & { readonly headers: Request['headers'] };
      span.setAttribute('http.response.status_code', received.statusCode);
      response.writeHead(received.statusCode, headersToBrowser(answered.headers));
      if (String(answered.headers['content-type']).startsWith('text/event-stream')) {
        noteStream(response);
        onAbort(endStream(), response, () => left.abort());
      }
      return response;
    });
  } catch (cause) {
    if (response.headersSent || left.signal.aborted) response.destroy();
    else throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 1, cause });
  } finally {
    span.end();
  }
}

const afterMs = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(Math.max(0, ms), longestTimer));

function onAbort(signal: AbortSignal, response: Response, then: () => void): void {
  if (signal.aborted) then();
  signal.addEventListener('abort', then, { once: true });
  response.once('close', () => signal.removeEventListener('abort', then));
}

interface ForwardingOptions {
  readonly gatewayUrl: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxStreams: number;
  admit(request: Request, response: Response): Admitted | Promise<Admitted>;
  readonly now: () => Date;
  readonly stopping: AbortSignal;
}

export interface Admitted {
  readonly authorization: string | undefined;
  /** The subject of the verified token; null where the token is passed on unverified. */
  readonly caller: string | null;
  /** When a stream of events must end; null for never. */
  readonly endsAt: Date | null;
  readonly untilRevoked?: (response: Response) => AbortSignal;
}

/** Not forwarded: headers of the session, those of the browser about its page, and those that this server sets. */
const notForwarded = new Set([...setByProxies, 'cookie', 'authorization', 'origin', 'referer', 'traceparent', 'tracestate']);

/** No response of the platform sets a cookie for the console or changes its policy. */
const notReturned = new Set([
  'set-cookie',
  'x-request-id',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

const isOfBrowser = (name: string): boolean => name.startsWith('sec-');

const headersToGateway = (sent: IncomingHttpHeaders, added: Headers): Headers => ({
  ...Object.fromEntries(Object.entries(endToEnd(sent, notForwarded)).filter(([name]) => !isOfBrowser(name))),
  ...added,
});

const headersToBrowser = (received: IncomingHttpHeaders): Headers => endToEnd(received, notReturned);
