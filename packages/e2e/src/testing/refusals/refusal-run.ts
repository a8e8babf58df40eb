import { randomUUID } from 'node:crypto';
import { needsVersion, operations, type ProblemCode } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { applyDirectory } from '@corner/operator';
import { demoTokens, people, stores } from '@corner/sandbox/demo';
import { expect } from '@jest/globals';
import { pay } from '../order-scenario.ts';
import type { SeenResponses } from '../recorded-examples.ts';
import { onDatabase } from '../settled.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { type OddStores, oddStores } from './odd-stores.ts';

export const unknownId = '0190a000-0000-7000-8000-00000000dead';

interface CallRequest {
  readonly with?: Record<string, unknown>;
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  readonly raw?: string;
}
type Fields = Record<string, unknown>;
/** A refusal of a token endpoint, whose `error` is a text, gets the form of the other operations. */
function envelopeOf(body: Fields): Body {
  if (typeof body.error !== 'string') return body as Body;
  const { code, error_description: message, requestId } = body;
  return { error: { code, message, requestId } } as unknown as Body;
}

type Body = Record<string, never> & { readonly error?: { readonly code: string } };

export type RefusalRun = Awaited<ReturnType<typeof startRefusalRun>>;

export async function startRefusalRun(environment: TestEnvironment) {
  const { system, history } = environment;
  const odd = oddStores();
  const allStores = [stores.coffee.id, stores.cuts.id, ...Object.values(odd.stores).map(({ id }) => id)];
  const tokens = {
    ...(await demoTokens(system.tokens)),
    bo: await system.tokens.token({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: allStores, ttlSeconds: 3_600 }),
  };
  const session = await system.tokens.staffSessionToken({ sub: people.cy.id, stores: allStores });
  const seen: SeenResponses = {};

  async function call(name: string, request: CallRequest = {}): Promise<{ readonly status: number; readonly body: Body }> {
    const response = await fetch(...requestOf(system.gatewayUrl, name, request, tokens));
    return { status: response.status, body: envelopeOf((await response.json()) as Fields) };
  }

  async function refused(name: string, code: ProblemCode, request: CallRequest = {}, keptFor = name): Promise<void> {
    const { status, body } = await call(name, request);
    expect({ name, code: body.error?.code ?? `${status} ${JSON.stringify(body)}` }).toEqual({ name, code });
    seen[keptFor] = { ...seen[keptFor], problems: { ...seen[keptFor]?.problems, [code]: body } };
  }

  async function done(name: string, request: CallRequest = {}): Promise<Record<string, string>> {
    const { status, body } = await call(name, request);
    expect({ name, status, body }).toMatchObject({ name, status: 200 });
    return body as unknown as Record<string, string>;
  }

  return {
    environment,
    tokens,
    session,
    stores: odd.stores,
    slots: odd.slots,
    seen,
    call,
    refused,
    done,
    async applyOddStores(state: keyof OddStores['directory']): Promise<void> {
      const connection = await connectNats(system.natsUrl, 'test');
      await applyDirectory(odd.directory[state], { connection });
      await connection.close();
    },
    async newCustomer() {
      const id = randomUUID();
      return { id, token: await system.tokens.token({ typ: 'customer', sub: id }) };
    },
    pay: (intentId: string, method?: string) => pay(system, history, intentId, method),
    async paidOrder(request: CallRequest = {}, card?: string): Promise<{ readonly orderId: string; readonly intentId: string }> {
      const { order_id: orderId = '', payment_intent_id: intentId = '' } = await done('createOrder', request);
      await pay(system, history, intentId, card);
      const { store_id } = request.with ?? {};
      const { token } = request;
      await done('confirmOrder', {
        with: { payment_intent_id: intentId, ...(store_id ? { store_id } : {}) },
        ...(token ? { token } : {}),
      });
      return { orderId, intentId };
    },
    simulate: (control: string, body: object) => askProvider(system.paymentsUrl, `_sim/${control}`, JSON.stringify(body)),
    changeRow: (statement: string, id: string) =>
      onDatabase(environment, async (client) => expect((await client.query(statement, [id])).rowCount).toBe(1)),
  };
}

function requestOf(
  gatewayUrl: string,
  name: string,
  { with: other = {}, token, headers = {}, raw }: CallRequest,
  tokens: Readonly<Record<'ana' | 'bo', string>>,
): [url: string, init: RequestInit] {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const { params = {}, query = {}, body } = operation.example as { params?: Fields; query?: Fields; body?: Fields };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, param: string) => String(other[param] ?? params[param]));
  const added = Object.fromEntries(Object.entries(other).filter(([field]) => !(field in params)));
  const search = new URLSearchParams(operation.method === 'GET' ? ({ ...query, ...added } as Record<string, string>) : {});
  const key = randomUUID();
  const sent = body && JSON.stringify({ ...body, ...('idempotency_key' in body ? { idempotency_key: key } : {}), ...added });
  const allowed = (operation.caller.types as readonly string[]).includes('customer') ? tokens.ana : tokens.bo;
  return [
    `${gatewayUrl}${path}?${search}`,
    {
      method: operation.method,
      headers: {
        ...(token === null || (operation.caller.optional && token === undefined) ? {} : { authorization: `Bearer ${token ?? allowed}` }),
        'idempotency-key': key,
        ...(needsVersion(operation) ? { 'if-match': '*' } : {}),
        ...(sent ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(sent ? { body: raw ?? sent } : {}),
    },
  ];
}

async function askProvider(
  paymentsUrl: TestEnvironment['system']['paymentsUrl'],
  path: string,
  body: string,
): Promise<Record<string, string>> {
  const headers = { authorization: 'Bearer sk_test_corner' };
  const response = await fetch(`${paymentsUrl}/${path}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}
