import { Agent, request as httpRequest } from 'node:http';
import { people, stores } from '@corner/sandbox/demo';
import { type RunningSystem, simulatorKey } from '@corner/sandbox/system';
import fc from 'fast-check';
import { checkResponse, type Received } from './check-response.ts';
import { KnownValues } from './known-values.ts';
import { type DocumentedOperation, documentedOperations } from './openapi-document.ts';
import { type Bearer, type Request, requestsOf } from './requests.ts';

interface FuzzOptions {
  /** The total. Each operation gets the same share. */
  readonly requests: number;
  /** The same seed generates the same requests; the ids in them depend on earlier responses. */
  readonly seed: number;
  readonly only?: readonly string[];
  readonly log?: (line: string) => void;
}

export interface FuzzResult {
  readonly faults: readonly string[];
  readonly responses: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly slowestMs: number;
}

/** Milliseconds for finding a shorter request with a wrong response. */
const shorteningMs = 120_000;
const maxPrinted = 600;

/**
 * Sends requests through the gateway, some at a time, and checks every response against the OpenAPI document. An operation gets no more
 * requests after its first wrong response.
 */
export async function fuzz(system: RunningSystem, { requests, seed, only = [], log = () => {} }: FuzzOptions): Promise<FuzzResult> {
  const tokens = await tokensOf(system);
  const known = new KnownValues();
  const responses = new Map<string, Map<number, number>>();
  let [sent, slowestMs] = [0, 0];

  const check = async (operation: DocumentedOperation, request: Request): Promise<void> => {
    const received = await sendPatiently(system.gatewayUrl, request, tokens);
    slowestMs = Math.max(slowestMs, received.tookMs);
    const counts = responses.get(operation.id) ?? new Map<number, number>();
    responses.set(operation.id, counts.set(received.status, (counts.get(received.status) ?? 0) + 1));
    sent += 1;
    if (sent % 500 === 0) log(`${sent} of ${requests} requests`);
    const wrong = checkResponse(request, received);
    if (wrong !== undefined) throw new Error(`${wrong}\n  -> ${received.text.slice(0, maxPrinted)}`);
    const isJson = received.headers['content-type']?.startsWith('application/json') ?? false;
    if (received.status === 200 && isJson && request.method !== 'HEAD') await learn(system, known, JSON.parse(received.text), sent);
  };

  const chosen = documentedOperations.filter(({ id }) => only.length === 0 || only.includes(id));
  const faults = chosen.map(async (operation) => {
    let shortenedUntil = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(requestsOf(operation, known), async (request) => {
      if (performance.now() > shortenedUntil) return;
      try {
        await check(operation, request);
      } catch (error) {
        shortenedUntil = Math.min(shortenedUntil, performance.now() + shorteningMs);
        throw error;
      }
    });
    const result = await fc.check(property, { seed, numRuns: Math.ceil(requests / chosen.length) });
    return result.failed ? [describeFault(operation, result)] : [];
  });
  return { faults: (await Promise.all(faults)).flat(), responses, slowestMs };
}

/** Pays two of three orders, so that some can be prepared, delayed and refunded. */
async function learn(
  system: RunningSystem,
  known: KnownValues,
  response: { payment_intent_id?: string | null; status?: string },
  nth: number,
): Promise<void> {
  known.learn(response);
  if (response.status !== 'pending_payment' || !response.payment_intent_id || nth % 3 === 0) return;
  await fetch(`${system.paymentsUrl}/v1/payment_intents/${response.payment_intent_id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

function describeFault({ id }: DocumentedOperation, { counterexample, errorInstance, numShrinks, seed }: fc.RunDetails<[Request]>): string {
  const [request] = counterexample ?? [];
  return [
    `${id}: ${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}`,
    `  ${request?.method} ${request?.path.slice(0, maxPrinted)} (${request?.bearer})`,
    `  ${JSON.stringify(request?.headers).slice(0, maxPrinted)}`,
    `  ${request?.body?.toString('utf8').slice(0, maxPrinted) ?? 'no body'}`,
    `  shortened ${numShrinks} times; again: npm run fuzz -- --seed ${seed} --only ${id}`,
  ].join('\n');
}

export function describeResult({ faults, responses, slowestMs }: FuzzResult): string {
  const table = [...responses].map(([operation, counts]) => {
    const figures = [...counts].toSorted(([one], [other]) => one - other).map(([status, count]) => `${status}×${count}`);
    return `${operation.padEnd(24)}${figures.join('  ')}`;
  });
  const figures = `slowest response ${Math.round(slowestMs)} ms\n${faults.length} operations with a fault`;
  return [table.toSorted().join('\n'), figures, ...faults].join('\n\n');
}

export type Tokens = Readonly<Record<Bearer, string | null>>;

const timeoutMs = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request up to three times while its service is too busy to answer. One that a request has ended does not answer later either. */
async function sendPatiently(baseUrl: string, request: Request, tokens: Tokens): Promise<Received> {
  for (let repeats = 2; repeats > 0; repeats -= 1) {
    const received = await sendRequest(baseUrl, request, tokens).catch(() => null);
    if (received !== null && !received.text.includes('UPSTREAM_UNAVAILABLE')) return received;
  }
  return await sendRequest(baseUrl, request, tokens);
}

/** Throws when no response comes within a minute. */
export function sendRequest(baseUrl: string, { bearer, method, path, headers, body }: Request, tokens: Tokens): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const { hostname, port } = new URL(baseUrl);
  const token = tokens[bearer];
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sentHeaders = { ...headers, ...(token === null ? {} : { authorization: token }), ...length };
  const signal = AbortSignal.timeout(timeoutMs);
  let began = 0;
  const sent = httpRequest({ hostname, port, method, path, headers: sentHeaders, agent, signal }, async (response) => {
    try {
      const text = Buffer.concat(await response.toArray()).toString('utf8');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, tookMs: performance.now() - began });
    } catch (error) {
      reject(error);
    }
  });
  sent.once('socket', () => {
    began = performance.now();
  });
  sent.once('error', (error) => reject(new Error(`no response: ${error.name} ${error.message}`)));
  sent.end(body ?? undefined);
  return promise;
}

export async function tokensOf({ tokens }: RunningSystem): Promise<Tokens> {
  const ttlSeconds = 6 * 3600;
  const both = [stores.coffee.id, stores.cuts.id];
  const bearer = (token: string) => `Bearer ${token}`;
  const merchant = await tokens.token({ typ: 'merchant', sub: people.bo.id, stores: both, ttlSeconds });
  return {
    customer: bearer(await tokens.token({ typ: 'customer', sub: people.ana.id, ttlSeconds })),
    'another customer': bearer(await tokens.token({ typ: 'customer', sub: '0190a000-0000-7000-8000-0000000000a2', ttlSeconds })),
    'customer to erase': bearer(await tokens.token({ typ: 'customer', sub: '0190a000-0000-7000-8000-0000000000ae', ttlSeconds })),
    merchant: bearer(merchant),
    staff: bearer(await tokens.token({ typ: 'staff', sub: people.cy.id, stores: both, ttlSeconds })),
    'merchant of another store': bearer(
      await tokens.token({ typ: 'merchant', sub: people.bo.id, stores: ['0190a000-0000-7000-8000-00000000dead'], ttlSeconds }),
    ),
    'without scopes': bearer(await tokens.token({ typ: 'merchant', sub: people.bo.id, stores: both, scope: '', ttlSeconds })),
    none: null,
    expired: bearer(await tokens.token({ typ: 'merchant', sub: people.bo.id, stores: both, ttlSeconds: -3600 })),
    forged: bearer(`${merchant.split('.').slice(0, 2).join('.')}.${'A'.repeat(86)}`),
    'of another audience': bearer(await tokens.staffSessionToken({ sub: people.cy.id, stores: both })),
    garbage: 'Basic =?%&',
  };
}
