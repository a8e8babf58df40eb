import { context, trace } from '@opentelemetry/api';
import type { Request, RequestHandler } from 'express';
import type { Log } from './log.ts';
import { withLogFields } from './log.ts';
import { continuing, SpanKind } from './telemetry.ts';

/**
 * Opens every request: its id (the caller's, when usable), its span (continuing the caller's trace), its log line at the
 * end. Header and span are set before anything can fail, so that every answer can be traced.
 */
export function beginRequest({ log, newId }: { readonly log: Log; readonly newId: () => string }): RequestHandler {
  return (request, response, next) => {
    const requestId = usableRequestId(request.get('x-request-id')) ?? newId();
    request.headers['x-request-id'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    if (request.method === 'GET') response.setHeader('Cache-Control', 'no-store');
    const parent = continuing(request.get('traceparent'));
    const span = trace
      .getTracer('corner')
      .startSpan(request.method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method } }, parent);
    const startedAt = performance.now();
    const scope = trace.setSpan(parent, span);
    context.with(scope, () =>
      withLogFields({ request_id: requestId }, () => {
        response.once(
          'close',
          context.bind(scope, () => {
            const operation = operationOf(request);
            span.updateName(operation);
            span.setAttribute('http.response.status_code', response.statusCode);
            span.end();
            log.info(
              { operation, status: response.statusCode, ms: Math.round((performance.now() - startedAt) * 10) / 10, request_id: requestId },
              'request',
            );
          }),
        );
        next();
      }),
    );
  };
}

/** The id a caller sent, when it is one a log can carry. */
export const usableRequestId = (id: string | undefined): string | undefined => (id && /^[\w.:-]{1,128}$/.test(id) ? id : undefined);

/** The request's own id, set by {@link beginRequest}. */
export const requestIdOf = (request: Request): string => request.get('x-request-id') ?? '';

/** The route, never the path: paths hold ids. */
const operationOf = (request: Request): string =>
  `${request.method} ${(request.route as { path?: string } | undefined)?.path ?? 'unknown route'}`;
