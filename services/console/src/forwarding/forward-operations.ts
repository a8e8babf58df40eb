import type { IncomingHttpHeaders } from 'node:http';
import { endToEnd, type Headers, nameEntryPoints, noteStream, requestIdOf } from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import type { Express, Request, Response } from 'express';
import { Pool } from 'undici';

const route = '/api/v1/*operation';
const connections = 64;
const longestTimer = 2 ** 31 - 1;

/**
 * Adds `/api/v1`, which is forwarded to the gateway for the caller that `admit` returns, in both directions as a stream. Whatever the gateway
 * answers is passed on, refusals too. Without a response in time it is a 503; a response that has begun is cut off instead.
 */
export function forwardOperations(app: Express, { gatewayUrl, timeoutMs, admit, now, stopping }: ForwardingOptions): AsyncDisposable {
  const pool = new Pool(gatewayUrl, {
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(timeoutMs, 5_000) },
  });
  nameEntryPoints('http.route', [route]);
  app.all(route, async (request, response) => {
    const { authorization, endsAt, untilRevoked } = await admit(request, response);
    // The browser has left meanwhile.
    if (response.destroyed) return;
    const endStream = () =>
      AbortSignal.any([
        stopping,
        ...(endsAt ? [afterMs(endsAt.getTime() - now().getTime())] : []),
        ...(untilRevoked ? [untilRevoked(response)] : []),
      ]);
    await forward(pool, { request, response, authorization, endStream });
  });
  return { [Symbol.asyncDispose]: () => pool.close() };
}

interface Forwarding {
  readonly request: Request;
  readonly response: Response;
  readonly authorization: string | undefined;
  /** Returns the signal that ends a stream of events. Any other response is waited for, also while the server stops. */
  endStream(): AbortSignal;
}

async function forward(pool: Pool, { request, response, authorization, endStream }: Forwarding): Promise<void> {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  const attributes = { 'service.peer.name': 'gateway', 'http.request.method': request.method };
  const span = trace.getTracer('corner').startSpan(`${request.method} gateway`, { kind: SpanKind.CLIENT, attributes });
  const carried: Record<string, string> = {};
  propagation.inject(trace.setSpan(context.active(), span), carried);
  const headers = headersToGateway(request.headers, {
    ...carried,
    ...(authorization === undefined ? {} : { authorization }),
    ...(request.ip === undefined ? {} : { 'x-forwarded-for': request.ip }),
    'x-request-id': requestIdOf(request),
  });
  try {
    await pool.stream(
      { path: request.originalUrl, method: request.method as 'GET', headers, body: hasBody(request) ? request : null, signal: left.signal },
      (received) => {
        const answered = received as typeof received & { readonly headers: Request['headers'] };
        span.setAttribute('http.response.status_code', received.statusCode);
        response.writeHead(received.statusCode, headersToBrowser(answered.headers));
        if (String(answered.headers['content-type']).startsWith('text/event-stream')) {
          noteStream(response);
          onAbort(endStream(), response, () => left.abort());
        }
        return response;
      },
    );
  } catch (cause) {
    if (response.headersSent || left.signal.aborted) response.destroy();
    else throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 1, cause });
  } finally {
    span.end();
  }
}

const hasBody = ({ headers }: Request): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const afterMs = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(Math.max(0, ms), longestTimer));

/** Runs `then` when the signal is aborted, until the response is closed. */
function onAbort(signal: AbortSignal, response: Response, then: () => void): void {
  if (signal.aborted) then();
  signal.addEventListener('abort', then, { once: true });
  response.once('close', () => signal.removeEventListener('abort', then));
}

interface ForwardingOptions {
  readonly gatewayUrl: string;
  readonly timeoutMs: number;
  /** Returns who calls, or throws the problem with which the request is refused. */
  admit(request: Request, response: Response): Admitted | Promise<Admitted>;
  readonly now: () => Date;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

export interface Admitted {
  /** The Authorization header for the gateway. */
  readonly authorization: string | undefined;
  /** When a stream of events must end; null for no such time. */
  readonly endsAt: Date | null;
  /** Returns a further signal that ends a stream of events; absent where there is none. */
  readonly untilRevoked?: (response: Response) => AbortSignal;
}

/** Request headers that stay here: the session's, those of the browser about its page, and those that this server sets. */
const notForwarded = new Set([
  'host',
  'cookie',
  'authorization',
  'origin',
  'referer',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
  'traceparent',
  'tracestate',
]);

/** Response headers that stay here: no response of the platform sets a cookie for the console or changes its policy. */
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

/** Returns the headers for the gateway: the browser's own without its cookie, with the caller's authorization. */
const headersToGateway = (sent: IncomingHttpHeaders, added: Headers): Headers => ({
  ...Object.fromEntries(Object.entries(endToEnd(sent, notForwarded)).filter(([name]) => !isOfBrowser(name))),
  ...added,
});

/** Returns the gateway's headers for the browser. */
const headersToBrowser = (received: IncomingHttpHeaders): Headers => endToEnd(received, notReturned);
