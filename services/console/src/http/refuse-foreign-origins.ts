import type { RequestHandler } from 'express';
import { Refused } from './send-problems.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a request that may change something unless a page of the console sent it. The cookie alone would not show that: SameSite allows
 * other origins of the same site.
 */
export const refuseForeignOrigins =
  (origin: string): RequestHandler =>
  (request, _response, next) => {
    if (!safe.has(request.method) && request.headers.origin !== origin)
      throw new Refused(
        403,
        'FOREIGN_ORIGIN',
        'Only a page of the console may send this request: its Origin header names another one or none.',
      );
    next();
  };
