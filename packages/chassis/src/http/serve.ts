import { type AnyOperation, type CallerRule, Problem, StoreId } from '@corner/contracts';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { type Authenticate, admit, admitToStore, anonymous, type Caller } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import type { ProcessLock } from '../database/process-lock.ts';
import type { Log } from '../telemetry/log.ts';
import { nameEntryPoints } from '../telemetry/metric-labels.ts';
import { bodyProblem } from './bodies.ts';
import type { LiveStreams } from './live-streams.ts';
import { readOauthClient, speakOauth } from './oauth-client.ts';
import { handlerOf, type Operation, type Operations } from './operation.ts';
import type { OwnClaims } from './own-claims.ts';
import { refuseUnstorable } from './parse-request.ts';
import type { PolledReplies } from './polled-replies.ts';
import { respondWithProblem } from './problem-response.ts';
import { recordRefusal } from './record-refusal.ts';
import type { Refusals } from './refusals.ts';
import { beginRequest } from './request.ts';
import { onResponded } from './responded.ts';

/**
 * An entry point for a caller with a protocol of its own, such as a payment provider or a phone's wallet. `method` is POST when absent. In
 * `path`, `{name}` is a parameter. `maxBytes` of the body is 256 KiB when absent. `run` throws a Problem to refuse.
 */
export interface Webhook<Context> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /**
   * The admitted callers, at the store in the query's `store_id`. Absent: `run` verifies the request by the proof it carries, and the
   * request's `caller` is anonymous.
   */
  readonly caller?: CallerRule;
  readonly maxBytes?: number;
  readonly run: (request: WebhookRequest, context: Context) => Promise<WebhookResponse>;
}

export interface WebhookRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly caller: Caller;
  header(name: string): string | undefined;
}

export interface WebhookResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A Buffer is sent as it is, anything else as JSON; no body when absent. */
  readonly body?: unknown;
}

export interface ServeOptions<Context> {
  readonly contracts: Readonly<Record<string, AnyOperation>>;
  readonly operations: Operations<Context>;
  readonly webhooks?: readonly Webhook<Context>[];
  readonly context: Context;
  readonly checkChange?: ((context: Context) => void) | undefined;
  readonly database: Database;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly newId: () => string;
  readonly idempotencyKey: 'optional' | 'required';
  readonly refusals: Refusals;
  readonly processLock: ProcessLock;
  readonly claims: OwnClaims;
  readonly live: LiveStreams;
  readonly polled: PolledReplies | null;
  readonly health?: (app: Express) => void;
}

/** Requests in progress at once in one process. A further one gets 503 with Retry-After, rather than a place in an invisible queue. */
const concurrency = 256;
const bodyLimit = '64kb';

export function serve<Context>(options: ServeOptions<Context>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  options.health?.(app);
  app.use(beginRequest(options));
  const ofClients = Object.values(options.contracts).flatMap(({ oauthClient, path }) => (oauthClient ? [path] : []));
  if (ofClients.length > 0) app.use(ofClients, speakOauth);
  app.use(boundConcurrency());
  nameEntryPoints(
    'http.route',
    (options.webhooks ?? []).map(({ path }) => path),
  );
  for (const webhook of options.webhooks ?? []) {
    const raw = express.raw({ type: () => true, limit: webhook.maxBytes ?? '256kb' });
    app[(webhook.method ?? 'POST').toLowerCase() as 'post'](routeOf(webhook), raw, runWebhook(webhook, options));
  }
  const routes = Map.groupBy(Object.entries(options.contracts).sort(literalFirst), ([, contract]) => routeOf(contract));
  for (const [route, entries] of routes) {
    for (const [name, contract] of entries) {
      const operation = options.operations[name];
      if (!operation) throw new Error(`no handler for ${name}`);
      const handler = handlerOf(contract, operation as Operation<AnyOperation, Context>, options);
      app[contract.method.toLowerCase() as 'get'](route, ...bodyReaders(contract), handler);
    }
    const allowed = entries.map(([, { method }]) => method).join(', ');
    app.all(route, () => {
      throw new Problem('METHOD_NOT_ALLOWED', { message: `This route takes ${allowed}.`, headers: { Allow: allowed } });
    });
  }
  app.use(() => {
    throw new Problem('ROUTE_NOT_FOUND');
  });
  app.use(((error, request, response, _next) => {
    const named = bodyProblem(error);
    respondWithProblem(named, request, response, options.log);
    recordRefusal(options.refusals, request, named);
  }) satisfies ErrorRequestHandler);
  return app;
}

/** Sorts by path: a literal segment comes before a parameter in its place, because `{` follows every letter. */
const literalFirst = ([, a]: [string, AnyOperation], [, b]: [string, AnyOperation]): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

const routeOf = ({ path }: { readonly path: string }): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

function bodyReaders({ body, oauthClient }: AnyOperation): readonly RequestHandler[] {
  if (!body) return [];
  const types = ['application/json', ...(oauthClient ? ['application/x-www-form-urlencoded'] : [])];
  const requireType: RequestHandler = (request, _response, next) => {
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    if (hasBody && !request.is(types)) throw new Problem('UNSUPPORTED_MEDIA_TYPE');
    next();
  };
  return [requireType, express.json({ limit: bodyLimit }), ...(oauthClient ? readOauthClient(bodyLimit) : [])];
}

function boundConcurrency(): RequestHandler {
  let inProgress = 0;
  return (_request, response, next) => {
    if (inProgress >= concurrency)
      throw new Problem('UPSTREAM_UNAVAILABLE', {
        message: 'The service has as many requests in progress as it can take.',
        retryAfterSeconds: 1,
      });
    inProgress += 1;
    onResponded(response, () => {
      inProgress -= 1;
    });
    next();
  };
}

function runWebhook<Context>(webhook: Webhook<Context>, { context, authenticate }: ServeOptions<Context>): RequestHandler {
  return async (request, response) => {
    const { params } = request as { params: Record<string, string> };
    const query = new URL(request.originalUrl, 'http://localhost').searchParams;
    refuseUnstorable('params', Object.entries(params));
    refuseUnstorable('query', [...query]);
    const caller = webhook.caller ? await callerAtStore(webhook.caller, request, query, authenticate) : anonymous;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const result = await webhook.run({ params, query, body, caller, header: (name) => request.get(name) }, context);
    response.status(result.status).set(result.headers ?? {});
    if (result.body === undefined) response.end();
    else if (Buffer.isBuffer(result.body)) response.end(result.body);
    else response.json(result.body);
  };
}

async function callerAtStore(rule: CallerRule, request: Request, query: URLSearchParams, authenticate: Authenticate): Promise<Caller> {
  const caller = admit(rule, await authenticate(request.get('authorization')));
  const { data: storeId } = StoreId.safeParse(query.get('store_id'));
  if (!storeId) throw new Problem('VALIDATION_FAILED', { message: 'query.store_id: must be the id of a store.' });
  admitToStore(rule, caller, storeId);
  return caller;
}
