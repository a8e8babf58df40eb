import { trace } from '@opentelemetry/api';
import type { Request } from 'express';
import { z } from 'zod';
import { placeOf } from '../errors/describe-error.ts';
import { problemOf } from './problem-response.ts';
import type { Refusals } from './refusals.ts';
import { orderIdIn, requestIdOf, routeOf } from './request.ts';

const Id = z.guid().toLowerCase();

/** An internal error is recorded by its place in the code, never by its message. `note` is appended. */
export function recordRefusal(refusals: Refusals, request: Request, error: unknown, note = ''): void {
  const problem = problemOf(error);
  const message =
    problem.code === 'INTERNAL' ? `${problem.message} ${placeOf(problem.cause ?? error)}; the log has the rest.` : problem.message;
  refusals.record({
    requestId: requestIdOf(request),
    at: new Date(),
    operation: `${request.method} ${routeOf(request)}`,
    problem,
    message: `${message}${note}`,
    orderId: orderNamedBy(request),
    storeId: storeNamedBy(request),
    traceId: trace.getActiveSpan()?.spanContext().traceId ?? null,
  });
}

function orderNamedBy(request: Request): string | null {
  const orderId = orderIdIn(request) ?? (request.body as { order_id?: unknown } | undefined)?.order_id;
  return Id.safeParse(orderId).data ?? null;
}

function storeNamedBy({ query, body }: Request): string | null {
  return Id.safeParse(query.store_id ?? (body as { store_id?: unknown } | undefined)?.store_id).data ?? null;
}
