import { bodyProblem, envelopeOfProblem, type Log, measure, requestIdOf } from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import type { ErrorRequestHandler, Express } from 'express';

export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: 'FOREIGN_ORIGIN' | 'NOT_FOUND' | 'OPERATOR_ONLY';

  constructor(status: number, code: Refused['code'], message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Refuses a request that no route took, and sends each error as a problem of the platform; `problemOf` translates an error that is not a
 * problem. The cause of a 5xx is only in the log. Must be added last.
 */
export function sendProblems(app: Express, log: Log, problemOf: ProblemOf = (cause) => new Problem('INTERNAL', { cause })): void {
  app.use(() => {
    throw new Problem('ROUTE_NOT_FOUND');
  });
  app.use(sendProblem(log, problemOf));
}

type ProblemOf = (error: unknown) => Problem;

const sendProblem =
  (log: Log, problemOf: ProblemOf): ErrorRequestHandler =>
  (thrown: unknown, request, response, _next) => {
    const error = bodyProblem(thrown);
    const problem = error instanceof Problem || error instanceof Refused ? error : problemOf(error);
    const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown route';
    measure('corner.problems', 1, { 'http.route': route.replaceAll(/:(\w+)/g, '{$1}'), 'corner.problem': problem.code });
    if (problem.status >= 500) log.error({ err: error, code: problem.code }, 'request failed');
    else log.debug({ code: problem.code }, 'request refused');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const headers = problem instanceof Problem ? problem.headers : {};
    const { code, message, status } = problem;
    response
      .set(headers)
      .status(status)
      .json(
        problem instanceof Problem
          ? envelopeOfProblem(problem, requestIdOf(request))
          : { error: { code, message, requestId: requestIdOf(request) } },
      );
  };
