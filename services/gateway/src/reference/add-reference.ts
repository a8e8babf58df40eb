import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { beginRequest, type Log, nameEntryPoints, requestIdOf } from '@corner/chassis/edge';
import { type AnyOperation, Problem } from '@corner/contracts';
import type { ErrorRequestHandler, Express } from 'express';
import { sendProblem } from '../http/send-problem.ts';
import { addDemoTokens, demoTokensPath } from './demo-tokens.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage, type Schema } from './events-page.ts';
import { operationsPage } from './operations-page.ts';
import { serveConstant } from './serve-constant.ts';

const require = createRequire(import.meta.url);
const pagesFolder = join(import.meta.dirname, '../../pages');

/** The pages load everything from this process; a browser may fetch from nowhere else. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the description of the interface, as pages and as documents, and ROUTE_NOT_FOUND for every other path. */
export function addReference(app: Express, { contracts, log, newId, tokensFile }: ReferenceOptions): void {
  app.use(beginRequest({ log, newId }));
  let schemas: Schemas | undefined;
  const readSchemas = (): Schemas => (schemas ??= JSON.parse(readSpec('event-schemas.json').toString('utf8')) as Schemas);
  addPages(app, contracts, readSchemas, tokensFile !== undefined);
  if (tokensFile !== undefined) {
    nameEntryPoints('http.route', [demoTokensPath]);
    addDemoTokens(app, tokensFile);
  }
  addDocuments(app, readSchemas);
  addAssets(app, tokensFile !== undefined);
  app.use(() => {
    throw new Problem('ROUTE_NOT_FOUND');
  });
  app.use(sendError(log));
}

function addPages(app: Express, contracts: readonly AnyOperation[], readSchemas: () => Schemas, withDemoTokens: boolean): void {
  const pages = {
    '/docs': () => operationsPage(withDemoTokens),
    '/docs/errors': () => errorsPage(contracts),
    '/docs/events': () => eventsPage(readSchemas()),
  };
  nameEntryPoints('http.route', Object.keys(pages));
  const headers = { 'Content-Security-Policy': contentPolicy, 'X-Content-Type-Options': 'nosniff' };
  for (const [path, write] of Object.entries(pages))
    app.get(
      path,
      serveConstant('html', () => Buffer.from(write()), headers),
    );
}

function addDocuments(app: Express, readSchemas: () => Schemas): void {
  const documents = { '/api/v1/openapi.json': 'openapi.json', '/asyncapi.json': 'asyncapi.json' };
  nameEntryPoints('http.route', Object.keys(documents));
  for (const [path, name] of Object.entries(documents))
    app.get(
      path,
      serveConstant('json', () => readSpec(name)),
    );
  const serveSchema = (schema: Schema) =>
    serveConstant('application/schema+json; charset=utf-8', () => Buffer.from(JSON.stringify(schema)));
  app.get('/events/*path', async (request, response, next) => {
    const schemas = readSchemas();
    const schema = Object.hasOwn(schemas, request.path) ? schemas[request.path] : undefined;
    if (schema) await serveSchema(schema)(request, response, next);
    else next();
  });
}

function addAssets(app: Express, withDemoTokens: boolean): void {
  const assets = {
    'swagger-ui.css': require.resolve('swagger-ui-dist/swagger-ui.css'),
    'swagger-ui.js': require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    'start.js': join(pagesFolder, 'start.js'),
    'pages.css': join(pagesFolder, 'pages.css'),
    ...(withDemoTokens ? { 'demo-tokens.js': join(pagesFolder, 'demo-tokens.js') } : {}),
  };
  for (const [name, file] of Object.entries(assets))
    app.get(
      `/docs/assets/${name}`,
      serveConstant(extname(name), () => readFileSync(file), { 'Cache-Control': 'public, max-age=3600' }),
    );
}

/** Sends an error as a problem. A path that cannot be decoded is ROUTE_NOT_FOUND; an unknown error is logged and is INTERNAL. */
const sendError =
  (log: Log): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const known = error instanceof URIError ? new Problem('ROUTE_NOT_FOUND') : error;
    const problem = known instanceof Problem ? known : new Problem('INTERNAL');
    const requestId = requestIdOf(request);
    if (problem.status >= 500) log.error({ err: error, problem: problem.code, request_id: requestId }, 'request failed');
    sendProblem(request, response, problem, { requestId });
  };

/** Reads a document that is generated from the contracts. */
const readSpec = (name: string): Buffer => readFileSync(require.resolve(`@corner/contracts/specs/${name}`));

/** The JSON Schemas of the events' data, by the path in their envelopes' `dataschema`. */
type Schemas = Readonly<Record<string, Schema>>;

export interface ReferenceOptions {
  readonly contracts: readonly AnyOperation[];
  readonly log: Log;
  readonly newId: () => string;
  /** Development only: a file with tokens for trying operations. */
  readonly tokensFile?: string | undefined;
}
