import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beginRequest, type Log, nameEntryPoints, requestIdOf } from '@corner/chassis/edge';
import { type AnyOperation, Problem } from '@corner/contracts';
import type { ErrorRequestHandler, Express } from 'express';
import { refuse } from './answer.ts';
import { addDemoTokens, demoTokensPath } from './reference/demo-tokens.ts';
import { errorsPage } from './reference/errors-page.ts';
import { eventsPage, type Schema } from './reference/events-page.ts';
import { operationsPage } from './reference/operations-page.ts';

export interface ReferenceOptions {
  readonly contracts: readonly AnyOperation[];
  readonly log: Log;
  readonly newId: () => string;
  /** Development only: a file with tokens to try operations with. */
  readonly tokensFile?: string | undefined;
}

const require = createRequire(import.meta.url);

/** Everything the reference is made of comes from this process: a browser is told to fetch from nowhere else. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the interface's description, for people and for programs, and answers ROUTE_NOT_FOUND to all else. */
export function addReference(app: Express, { contracts, log, newId, tokensFile }: ReferenceOptions): void {
  app.use(beginRequest({ log, newId }));

  const schemas: Readonly<Record<string, Schema>> = JSON.parse(promise('event-schemas.json').toString('utf8'));
  const pages = {
    '/docs': operationsPage(tokensFile !== undefined),
    '/docs/errors': errorsPage(contracts),
    '/docs/events': eventsPage(schemas),
  };
  nameEntryPoints('http.route', Object.keys(pages));
  for (const [path, html] of Object.entries(pages))
    app.get(path, (_request, response) => {
      response.set({ 'Content-Security-Policy': contentPolicy, 'X-Content-Type-Options': 'nosniff' }).type('html').send(html);
    });

  if (tokensFile !== undefined) {
    nameEntryPoints('http.route', [demoTokensPath]);
    addDemoTokens(app, tokensFile);
  }

  const documents = {
    '/api/v1/openapi.json': promise('openapi.json'),
    '/asyncapi.json': promise('asyncapi.json'),
  };
  nameEntryPoints('http.route', Object.keys(documents));
  for (const [path, json] of Object.entries(documents))
    app.get(path, (_request, response) => {
      response.type('json').send(json);
    });
  for (const [path, schema] of Object.entries(schemas))
    app.get(path, (_request, response) => {
      response.type('application/schema+json').send(JSON.stringify(schema));
    });

  const assets = {
    'swagger-ui.css': require.resolve('swagger-ui-dist/swagger-ui.css'),
    'swagger-ui.js': require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    'start.js': join(import.meta.dirname, '../pages/start.js'),
    'pages.css': join(import.meta.dirname, '../pages/pages.css'),
    ...(tokensFile === undefined ? {} : { 'demo-tokens.js': join(import.meta.dirname, '../pages/demo-tokens.js') }),
  };
  for (const [name, file] of Object.entries(assets))
    app.get(`/docs/assets/${name}`, (_request, response, next) => {
      response.set('Cache-Control', 'public, max-age=3600');
      response.sendFile(file, { cacheControl: false, dotfiles: 'allow' }, (error) => error && !response.headersSent && next(error));
    });

  app.use(() => {
    throw new Problem('ROUTE_NOT_FOUND');
  });
  app.use(((error, request, response, _next) => {
    const known = error instanceof URIError ? new Problem('ROUTE_NOT_FOUND') : error;
    const problem = known instanceof Problem ? known : new Problem('INTERNAL');
    if (problem.status >= 500) log.error({ err: error, problem: problem.code, request_id: requestIdOf(request) }, 'request failed');
    refuse(request, response, problem, requestIdOf(request));
  }) satisfies ErrorRequestHandler);
}

/** A document generated from the contracts. */
const promise = (name: string): Buffer => readFileSync(require.resolve(`@corner/contracts/specs/${name}`));
