import { people, stores } from '@corner/sandbox/demo';
import { type RunningSystem, simulatorKey } from '@corner/sandbox/system';
import fc from 'fast-check';
import { checkResponse } from './check-response.ts';
import { KnownValues } from './known-values.ts';
import { type Bearer, type PlannedRequest, plannedRequests } from './planned-request.ts';
import { type PreparedRequest, prepareRequest, type Received, sendRequest } from './prepare-request.ts';

export interface FuzzOptions {
  readonly requests: number;
  /** The same seed plans the same requests; the ids in them depend on earlier responses. */
  readonly seed: number;
  readonly only?: readonly string[];
  readonly log?: (line: string) => void;
}

export interface Fault {
  readonly operation: string;
  readonly what: string;
  readonly nth: number;
  readonly bearer: Bearer;
  readonly prepared: PreparedRequest;
  readonly received: Received | null;
}

export interface FuzzResult {
  readonly faults: readonly Fault[];
  readonly responses: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly slowestMs: number;
}

const concurrency = 8;
const timeoutMs = 60_000;
/** Requests planned at a time. Few, because some have large bodies. */
const chunk = 500;

/** Sends generated requests through the gateway and checks every response against the OpenAPI document. */
export async function fuzz(system: RunningSystem, { requests, seed, only = [], log = () => {} }: FuzzOptions): Promise<FuzzResult> {
  const tokens = await tokensOf(system);
  const known = new KnownValues();
  const faults: Fault[] = [];
  const responses = new Map<string, Map<number, number>>();
  let slowestMs = 0;

  const one = async (plan: PlannedRequest, nth: number): Promise<void> => {
    const prepared = prepareRequest(plan, known, tokens);
    const blame = (what: string, received: Received | null) =>
      faults.push({ operation: plan.operation.id, what, nth, bearer: plan.bearer, prepared, received });
    const began = performance.now();
    try {
      const received = await sendRequest(system.gatewayUrl, prepared, timeoutMs);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      const counts = responses.get(plan.operation.id) ?? new Map<number, number>();
      responses.set(plan.operation.id, counts.set(received.status, (counts.get(received.status) ?? 0) + 1));
      const what = checkResponse(prepared, received);
      if (what !== undefined) blame(what, received);
      else if (received.status === 200 && prepared.method !== 'HEAD') await learn(system, known, JSON.parse(received.text), nth);
    } catch (error) {
      blame(`no response: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`, null);
    }
  };

  for (let from = 0; from < requests; from += chunk) {
    const numRuns = Math.min(chunk, requests - from);
    const waiting = fc.sample(plannedRequests(only), { numRuns, seed: seed + from }).entries();
    const worker = async () => {
      for (const [nth, plan] of waiting) await one(plan, from + nth);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    log(`${from + numRuns} of ${requests} requests, ${faults.length} faults`);
  }
  return { faults, responses, slowestMs };
}

/** Remembers the values in a response. Pays two of three orders, so that some can be prepared, delayed and refunded. */
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

export async function tokensOf({ tokens }: RunningSystem): Promise<Record<Bearer, string | null>> {
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
