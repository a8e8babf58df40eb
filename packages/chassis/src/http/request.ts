import type { IncomingMessage } from 'node:http';
import { type Attributes, context, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Log } from '../telemetry/log.ts';
import { withLogFields } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import { continuing, currentTracer, SpanKind } from '../telemetry/telemetry.ts';
import { onResponded } from './responded.ts';

/** Begins a request: its id (the caller's, when usable), its span and its log line at the end. Set before anything can fail. */
export function beginRequest({ log, newId }: { readonly log: Log; readonly newId: () => string }): RequestHandler {
  return (request, response, next) => {
    const requestId = usableRequestId(request.get('x-request-id')) ?? newId();
    request.headers['x-request-id'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    if (request.method === 'GET') response.setHeader('Cache-Control', 'no-store');
    const parent = continuing(request.get('traceparent'));
    const span = currentTracer().startSpan(
      request.method,
      { kind: SpanKind.SERVER, attributes: serverAttributes(request, requestId) },
      parent,
    );
    const startedAt = performance.now();
    const scope = trace.setSpan(parent, span);
    context.with(scope, () =>
      withLogFields({ request_id: requestId }, () => {
        onResponded(
          response,
          context.bind(scope, () => {
            const operation = `${request.method} ${routeOf(request)}`;
            const status = response.statusCode;
            const ms = performance.now() - startedAt;
            span.updateName(operation);
            span.setAttributes({ 'http.route': routeOf(request), 'url.path': pathOf(request), 'http.response.status_code': status });
            if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: String(status) });
            span.end();
            measure('http.server.request.duration', ms / 1000, {
              'http.request.method': request.method,
              'http.route': routeOf(request),
              'http.response.status_code': status,
            });
            log.info({ operation, status, ms: Math.round(ms * 10) / 10, request_id: requestId }, 'request');
          }),
        );
        next();
      }),
    );
  };
}

export function serverAttributes({ method = '', headers, socket, httpVersion }: IncomingMessage, requestId: string): Attributes {
  const [address = ''] = (headers.host ?? '').split(/:\d+$/);
  return {
    'http.request.method': method,
    'url.scheme': 'http',
    'server.address': address,
    'server.port': socket.localPort ?? 0,
    'network.protocol.version': httpVersion,
    'corner.request.id': requestId,
  };
}

const pathOf = (request: Request): string => visiblePath(routeOf(request), request.path);

/** Returns a path whose other parameters stay as their names, because they may be credentials. */
export function visiblePath(template: string, path: string): string {
  const segments = path.split('/');
  const visible = (segment: string, at: number) => (segment === '{orderId}' ? (z.guid().safeParse(segments[at]).data ?? segment) : segment);
  return template.split('/').map(visible).join('/');
}

export function orderIdIn(request: Request): string | undefined {
  const at = ((request.route as { path?: string } | undefined)?.path ?? '').split('/').indexOf(':orderId');
  return at < 0 ? undefined : z.guid().safeParse(request.path.split('/')[at]).data;
}

/** Returns the id a caller sent when it is safe to log: 1 to 128 letters, digits and `_.:-`. Otherwise undefined. */
export const usableRequestId = (id: string | undefined): string | undefined => (id && /^[\w.:-]{1,128}$/.test(id) ? id : undefined);

export const requestIdOf = (request: Request): string => request.get('x-request-id') ?? '';

/** Returns the route as the contracts write it, never the path, which may hold an id that works as a credential. */
export const routeOf = (request: Request): string =>
  ((request.route as { path?: string } | undefined)?.path ?? 'unknown route').replaceAll(/:(\w+)/g, '{$1}');
