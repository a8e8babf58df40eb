import { oauthErrorOf, Problem } from '@corner/contracts';
import type { Request, Response } from 'express';
import { isTransient } from '../errors/is-transient.ts';
import type { Log } from '../telemetry/log.ts';
import { measure } from '../telemetry/metrics.ts';
import { annotateSpan } from '../telemetry/search-attributes.ts';
import { envelopeOfProblem } from './bodies.ts';
import { requestIdOf, routeOf } from './request.ts';

/** Sends the error response: a Problem as it is, a transient fault as 503, anything else as a 500 whose cause is only logged. */
export function respondWithProblem(error: unknown, request: Request, response: Response, log: Log): void {
  const problem = problemOf(error);
  measure('corner.problems', 1, { 'http.route': routeOf(request), 'corner.problem': problem.code });
  annotateSpan(() => ({ 'corner.problem': problem.code, ...(problem.status >= 500 ? { 'error.type': problem.code } : {}) }));
  if (problem.status >= 500 && problem.code !== 'NOT_IMPLEMENTED') log.error({ err: error, code: problem.code }, 'request failed');
  else log.debug({ code: problem.code }, 'request refused');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const id = requestIdOf(request);
  response
    .set(problem.headers)
    .status(problem.status)
    .json(response.locals.oauthClient ? oauthErrorOf(problem, id, request.body?.grant_type) : envelopeOfProblem(problem, id));
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isTransient(error)) return new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  return new Problem('INTERNAL', { cause: error });
}
