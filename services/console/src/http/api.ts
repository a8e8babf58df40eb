import { nameEntryPoints } from '@corner/chassis/edge';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Sessions, SignedIn } from '../sessions/sessions.ts';

export interface Asked {
  readonly person: SignedIn;
  readonly request: Request;
  readonly response: Response;
}

export type Guard = (asked: Asked) => void;

/** Adds routes for the pages. Every route needs a session; a response holds the fields of its schema and no others. */
export interface Api {
  get<S extends z.ZodType>(path: string, guard: Guard, schema: S, answer: (asked: Asked) => Promise<z.input<S>>): void;
  post<S extends z.ZodType>(path: string, guard: Guard, schema: S, answer: (asked: Asked) => Promise<z.input<S>>): void;
  handle(path: string, guard: Guard, handle: (asked: Asked) => Promise<void>): void;
}

export function createApi(app: Express, sessions: Sessions): Api {
  const routed = (guard: Guard, handle: (asked: Asked) => Promise<void>): RequestHandler => {
    return async (request, response) => {
      const asked = { person: await sessions.of(request, response), request, response };
      // The browser has left: its response will emit no further close.
      if (response.destroyed) return;
      guard(asked);
      await handle(asked);
    };
  };
  const answering = <S extends z.ZodType>(schema: S, answer: (asked: Asked) => Promise<z.input<S>>) => {
    return async (asked: Asked) => void asked.response.json(schema.parse(await answer(asked)));
  };
  const add = (method: 'get' | 'post', path: string, handler: RequestHandler) => {
    nameEntryPoints('http.route', [path.replaceAll(/:(\w+)/g, '{$1}')]);
    app[method](path, handler);
  };
  return {
    get: (path, guard, schema, answer) => add('get', path, routed(guard, answering(schema, answer))),
    post: (path, guard, schema, answer) => add('post', path, routed(guard, answering(schema, answer))),
    handle: (path, guard, handle) => add('get', path, routed(guard, handle)),
  };
}

export const anyone: Guard = () => {};
