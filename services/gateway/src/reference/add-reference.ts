import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginRequest, type Log, nameEntryPoints, requestIdOf } from '@corner/chassis/edge';
import { type AnyOperation, dataSchemaOf, events, Problem } from '@corner/contracts';
import { asyncapi, dataOf } from '@corner/contracts/specs/asyncapi.ts';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { sendProblem } from '../http/send-problem.ts';
import { addAssets } from './assets.ts';
import { addDemo, demoPayPath, demoTokensPath } from './demo.ts';
import { chaptersOf, type OpenapiDocument } from './document/openapi-document.ts';
import type { Schema } from './document/schema.ts';
import { frame } from './frame.ts';
import { errorsPage } from './pages/errors-page.ts';
import { eventsPage } from './pages/events-page.ts';
import { guidePages } from './pages/guide-pages.ts';
import { operationPage } from './pages/operation-page.ts';
import { overviewPage } from './pages/overview-page.ts';
import { serveConstant } from './serve-constant.ts';
import { type SitePage, searchEntries } from './site.ts';

const openapiFile = join(import.meta.dirname, '../../../../packages/contracts/specs/openapi.json');

const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const pageHeaders = { 'Content-Security-Policy': contentPolicy, 'X-Content-Type-Options': 'nosniff' };

/**
 * Serves the interface's description, as pages and as documents, and ROUTE_NOT_FOUND for every other path. Pages and schemas are made for
 * the first request, since most gateways get none. Pages load everything from this process.
 */
export function addReference(app: Express, { contracts, log, newId, tokensFile }: ReferenceOptions): void {
  app.use(beginRequest({ log, newId }));
  addPages(app, contracts, tokensFile === undefined ? undefined : demoTokensPath);
  if (tokensFile !== undefined) {
    nameEntryPoints('http.route', ['/', demoTokensPath, demoPayPath]);
    app.get('/', (_request, response) => response.redirect('/docs'));
    addDemo(app, tokensFile);
  }
  addDocuments(app);
  app.use(() => {
    throw new Problem('ROUTE_NOT_FOUND');
  });
  app.use(sendError(log));
}

function addPages(app: Express, contracts: readonly AnyOperation[], tokensPath: string | undefined): void {
  const assets = addAssets(app);
  let kept: readonly SitePage[] | undefined;
  const pages = () => (kept ??= makePages(contracts, tokensPath));
  const routes = ['/docs', '/docs/errors', '/docs/events', '/docs/operations/:name', '/docs/guide/:page'];
  nameEntryPoints('http.route', [...routes, searchPath]);
  const handlers = new Map<string, RequestHandler>();
  const servePage: RequestHandler = async (request, response, next) => {
    const page = pages().find(({ path }) => path === request.path);
    if (!page) return next();
    const handler = handlers.get(page.path) ?? serveConstant('html', () => Buffer.from(frame(page, pages(), assets)), pageHeaders);
    handlers.set(page.path, handler);
    await handler(request, response, next);
  };
  for (const route of routes) app.get(route, servePage);
  app.get(
    searchPath,
    serveConstant('json', () => Buffer.from(JSON.stringify(searchEntries(pages())))),
  );
}

const searchPath = '/docs/search.json';

function makePages(contracts: readonly AnyOperation[], tokensPath: string | undefined): SitePage[] {
  const document = JSON.parse(readOpenapi().toString('utf8')) as OpenapiDocument;
  const chapters = chaptersOf(document);
  const { schemas } = document.components;
  return [
    overviewPage(document, chapters),
    errorsPage(contracts),
    eventsPage(eventSchemas),
    ...guidePages(),
    ...chapters.flatMap(({ operations }) =>
      operations.flatMap((operation) => {
        const contract = contracts.find(({ name }) => name === operation.operationId);
        return contract ? operationPage(operation, { contract, schemas, tokensPath }) : [];
      }),
    ),
  ];
}

function addDocuments(app: Express): void {
  const documents = { '/api/v1/openapi.json': readOpenapi, '/asyncapi.json': () => Buffer.from(JSON.stringify(asyncapi(), null, 1)) };
  nameEntryPoints('http.route', Object.keys(documents));
  for (const [path, read] of Object.entries(documents)) app.get(path, serveConstant('json', read));
  const serveSchema = (schema: Schema) =>
    serveConstant('application/schema+json; charset=utf-8', () => Buffer.from(JSON.stringify(schema)));
  app.get('/events/*path', async (request, response, next) => {
    const schema = eventSchemas().get(request.path);
    if (schema) await serveSchema(schema)(request, response, next);
    else next();
  });
}

let schemas: ReadonlyMap<string, Schema> | undefined;
const eventSchemas = () => (schemas ??= new Map(events.map((event) => [dataSchemaOf(event), dataOf(event)])));

const sendError =
  (log: Log): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const known = error instanceof URIError ? new Problem('ROUTE_NOT_FOUND') : error;
    const problem = known instanceof Problem ? known : new Problem('INTERNAL');
    const requestId = requestIdOf(request);
    if (problem.status >= 500) log.error({ err: error, problem: problem.code, request_id: requestId }, 'request failed');
    sendProblem(request, response, problem, { requestId });
  };

const readOpenapi = (): Buffer => readFileSync(openapiFile);

export interface ReferenceOptions {
  readonly contracts: readonly AnyOperation[];
  readonly log: Log;
  readonly newId: () => string;
  /** Development only: a file with tokens for trying operations. */
  readonly tokensFile?: string | undefined;
}
