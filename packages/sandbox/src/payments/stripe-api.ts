import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expand, pathsToExpand } from './expand.ts';
import type { FaultKind, Faults } from './faults.ts';
import { decodeForm, decodeJson } from './form.ts';
import { createIdempotency, type KeyLease } from './idempotency.ts';
import { accountNamed, type Keys, keyShown } from './keys.ts';
import { StripeRefusal } from './refusal.ts';
import { routes } from './routes.ts';
import type { Observe } from './stripe-types.ts';
import { whole } from './whole.ts';
import type { Call, Change, World } from './world.ts';

interface StripeApiOptions {
  readonly world: World;
  readonly change: Change;
  readonly keys: Keys;
  readonly faults: Faults;
  readonly halfLatency: () => Promise<void>;
  readonly report: Report;
  readonly observe: Observe;
}

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly parameters: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
  readonly stored: boolean;
  readonly replayed?: true;
}

export function createStripeApi({ world, change, keys, faults, halfLatency, report, observe }: StripeApiOptions) {
  const enter = createIdempotency(world.books, world.now);

  return async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await read(request, world.newId('req_', 14));
    const reply = await respondTo(received);
    if (reply === 'lost') response.destroy();
    else send(response, reply, received);
  };

  async function respondTo(received: ReceivedRequest): Promise<Reply | 'lost'> {
    try {
      const { work, call, line } = admit(received, keys, world);
      const observed = <R extends Reply | 'lost'>(reply: R): R => {
        if (reply !== 'lost') observe({ line, form: call.form, isDevice: call.key === 'publishable', ...reply });
        return reply;
      };
      const { idempotencyKey, path, parameters } = received;
      const entry = idempotencyKey === undefined ? undefined : enter(idempotencyKey, path, parameters);
      const fault = faults.take(received.method, path);
      if (!entry || 'lease' in entry) return observed(await carryOut(received, work, fault, entry?.lease));
      await halfLatency();
      await halfLatency();
      if (fault === 'rate_limited') throw tooMany;
      return fault?.startsWith('lost') ? 'lost' : { ...entry.replay, stored: true, replayed: true };
    } catch (error) {
      return refused(error, received, report);
    } finally {
      world.books.commit();
    }
  }

  async function carryOut(
    received: ReceivedRequest,
    work: () => object,
    fault: FaultKind | undefined,
    lease: KeyLease | undefined,
  ): Promise<Reply | 'lost'> {
    const { requestId, idempotencyKey } = received;
    await halfLatency();
    const reply = change({ requestId, idempotencyKey: idempotencyKey ?? null }, () => {
      const made = withoutEffect.has(fault ?? '') ? null : attempt(work, received, report);
      const outcome =
        fault === 'rate_limited'
          ? refused(tooMany, received, report)
          : fault?.startsWith('error')
            ? refused(broken, received, report)
            : made;
      lease?.end(outcome?.stored ? outcome : null);
      return outcome;
    });
    await halfLatency();
    return reply === null || fault === 'lost_after' ? 'lost' : reply;
  }
}

interface Admitted {
  readonly work: () => object;
  readonly call: Call;
  readonly line: string;
}

function admit(received: ReceivedRequest, keys: Keys, world: World): Admitted {
  const key = keyShown(received.headers, keys);
  const account = accountNamed(received.headers, received.path, world);
  for (const { line, method, pattern, forDevices, handle } of routes) {
    const match = method === received.method ? pattern.exec(received.path) : null;
    if (!match) continue;
    if (key === 'publishable' && !forDevices) {
      throw new StripeRefusal(403, 'This API call cannot be made with a publishable API key. Please use a secret API key.', {
        code: 'secret_key_required',
      });
    }
    const version = received.headers['stripe-version'];
    const call: Call = {
      ids: match.slice(1),
      origin: `http://${received.headers.host}`,
      form: isV2(received) && received.method === 'POST' ? decodeJson(received.parameters) : decodeForm(received.parameters),
      key,
      stripeVersion: typeof version === 'string' ? version : undefined,
      account,
    };
    const paths = key === 'secret' ? pathsToExpand(call.form) : [];
    return { work: () => whole(expand(handle(call, world), paths, world.books)), call, line };
  }
  throw new StripeRefusal(404, `Unrecognized request URL (${received.method}: ${received.path}).`);
}

function attempt(work: () => object, received: ReceivedRequest, report: Report): Reply {
  try {
    return { status: 200, body: JSON.stringify(work()), requestId: received.requestId, stored: true };
  } catch (error) {
    return refused(error, received, report);
  }
}

const isV2 = ({ path }: ReceivedRequest): boolean => path.startsWith('/v2/');

function refused(error: unknown, received: ReceivedRequest, report: Report): Reply {
  if (!(error instanceof StripeRefusal)) report(error);
  const refusal = error instanceof StripeRefusal ? error : broken;
  const body = JSON.stringify(whole(refusal.body(isV2(received) ? 2 : 1)));
  return { status: refusal.status, body, requestId: received.requestId, stored: refusal.storedUnderKey };
}

type Report = (error: unknown) => void;

const withoutEffect = new Set(['error_before', 'lost_before', 'rate_limited']);
const broken = new StripeRefusal(500, 'An unknown error occurred.', { type: 'api_error' });
const tooMany = new StripeRefusal(429, 'Request rate limit exceeded.', { code: 'rate_limit' });

async function read(request: IncomingMessage, requestId: string): Promise<ReceivedRequest> {
  const { method = 'GET', headers } = request;
  const { pathname, search } = new URL(request.url ?? '/', 'http://payments');
  const body = await text(request);
  const key = headers['idempotency-key'];
  return {
    method,
    path: pathname,
    parameters: method === 'POST' ? body : search.slice(1),
    headers,
    requestId,
    idempotencyKey: method === 'POST' && typeof key === 'string' && key !== '' ? key : undefined,
  };
}

function send(response: ServerResponse, reply: Reply, received: ReceivedRequest): void {
  response.writeHead(reply.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(reply.body),
    'Request-Id': received.requestId,
    ...(received.idempotencyKey === undefined ? {} : { 'Idempotency-Key': received.idempotencyKey }),
    ...(reply.replayed ? { 'Idempotent-Replayed': 'true', 'Original-Request': reply.requestId } : {}),
    // A retry would only get the stored 500 again, so by this header Stripe asks its SDK not to retry.
    ...(reply.status === 500 ? { 'Stripe-Should-Retry': 'false' } : {}),
    ...(reply.status === 401 ? { 'WWW-Authenticate': 'Basic realm="Stripe"' } : {}),
  });
  response.end(reply.body);
}
