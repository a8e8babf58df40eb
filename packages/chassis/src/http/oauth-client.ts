import { Problem } from '@corner/contracts';
import express, { type Request, type RequestHandler } from 'express';

/** Forbids caches to store any response, and sends refusals in the format of RFC 6749, section 5.2. */
export const speakOauth: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.locals.oauthClient = true;
  next();
};

/**
 * Reads the request of an OAuth client: a form or JSON, with its credentials in the body or by HTTP Basic (RFC 6749, section 2.3.1), which
 * become fields of the body. Throws VALIDATION_FAILED for credentials in both.
 */
export const readOauthClient = (limit: string): readonly RequestHandler[] => [
  express.urlencoded({ extended: false, limit }),
  (request, _response, next) => {
    const { authorization = '' } = request.headers;
    const basic = /^Basic +([\w+/=-]+)$/i.exec(authorization)?.[1];
    if (basic !== undefined) takeBasic(request, Buffer.from(basic, 'base64').toString());
    next();
  },
];

function takeBasic(request: Request, credentials: string): void {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  if (body.client_id !== undefined || body.client_secret !== undefined)
    throw new Problem('VALIDATION_FAILED', { message: 'The client’s credentials are in the body and in Authorization; send them once.' });
  const at = credentials.indexOf(':');
  request.body = { ...body, client_id: decoded(credentials.slice(0, at)), client_secret: decoded(credentials.slice(at + 1)) };
  // Otherwise it would be read as a token.
  delete request.headers.authorization;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
