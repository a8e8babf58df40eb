import { nameEntryPoints, noteStream, requestIdOf } from '@corner/chassis/asking';
import { Problem } from '@corner/contracts';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import type { Express, Request, Response } from 'express';
import { Pool } from 'undici';
import type { Sessions } from '../sessions/sessions.ts';
import { headersToBrowser, headersToGateway } from './headers.ts';

const route = '/api/v1/*operation';
const connections = 64;

/**
 * Adds `/api/v1`, which is forwarded to the gateway with the token of the session, in both directions as a stream. Whatever the gateway
 * answers is passed on, refusals too. Without a response in time it is a 503; a response that has begun is cut off instead.
 */
export function forwardOperations(app: Express, { gatewayUrl, timeoutMs, sessions, stopping }: ForwardingOptions): AsyncDisposable {
  const pool = new Pool(gatewayUrl, {
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(timeoutMs, 5_000) },
  });
  nameEntryPoints('http.route', [route]);
  app.all(route, async (request, response) => {
    const { token, expiresAt } = await sessions.of(request, response);
    await forward(pool, { request, response, token, signal: endOf(response, expiresAt, stopping) });
  });
  return { [Symbol.asyncDispose]: () => pool.close() };
}

interface Forwarding {
  readonly request: Request;
  readonly response: Response;
  readonly token: string;
  /** Aborted when the response is of no use any more. */
  readonly signal: AbortSignal;
}

async function forward(pool: Pool, { request, response, token, signal }: Forwarding): Promise<void> {
  const span = trace
    .getTracer('corner')
    .startSpan(`${request.method} gateway`, { kind: SpanKind.CLIENT, attributes: { 'peer.service': 'gateway' } });
  const carried: Record<string, string> = {};
  propagation.inject(trace.setSpan(context.active(), span), carried);
  const headers = headersToGateway(request.headers, { ...carried, authorization: `Bearer ${token}`, 'x-request-id': requestIdOf(request) });
  try {
    await pool.stream(
      { path: request.originalUrl, method: request.method as 'GET', headers, body: hasBody(request) ? request : null, signal },
      (received) => {
        const answered = received as typeof received & { readonly headers: Request['headers'] };
        span.setAttribute('http.response.status_code', received.statusCode);
        response.writeHead(received.statusCode, headersToBrowser(answered.headers));
        if (String(answered.headers['content-type']).startsWith('text/event-stream')) noteStream(response);
        return response;
      },
    );
  } catch (cause) {
    if (response.headersSent || signal.aborted) response.destroy();
    else throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 1, cause });
  } finally {
    span.end();
  }
}

const hasBody = ({ headers }: Request): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A stream of the platform ends with the session's token, when the browser leaves, and when this server stops. */
function endOf(response: Response, expiresAt: Date, stopping: AbortSignal): AbortSignal {
  const left = new AbortController();
  const timer = setTimeout(() => left.abort(), Math.min(Math.max(0, expiresAt.getTime() - Date.now()), 2 ** 31 - 1)).unref();
  const stop = () => left.abort();
  stopping.addEventListener('abort', stop, { once: true });
  response.once('close', () => {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

interface ForwardingOptions {
  readonly gatewayUrl: string;
  readonly timeoutMs: number;
  readonly sessions: Sessions;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
