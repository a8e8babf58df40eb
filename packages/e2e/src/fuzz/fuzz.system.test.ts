import { randomUUID } from 'node:crypto';
import { createClient, orderHistory } from '@corner/client';
import { people, stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { checkResponse } from './check-response.ts';
import { documentedOperations } from './openapi-document.ts';
import { exampleOf } from './requests.ts';
import { describeResult, fuzz, sendRequest, type Tokens, tokensOf } from './run.ts';

let environment: TestEnvironment;
let tokens: Tokens;

beforeAll(async () => {
  environment = await startTestEnvironment({}, { optional: ['directory'] });
  tokens = await tokensOf(environment.system);
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

/** The codes that an example may yield because it names records, or needs a fresh tap of a tag, a fresh token, a partner, a free time or an open drawer, that a new demo does not have. */
const missingRecordCodes =
  /_NOT_FOUND$|^ID_TOKEN_INVALID$|^CLIENT_INVALID$|^SESSION_ENDED$|^NFC_PROOF_REQUIRED$|^NO_PENDING_REQUEST$|^MULTI_STAMP|^PAYMENT_|^WALK_INS|^NO_CAPACITY|^TIME_NOT_FREE|^DRAWER_/;

test.each(documentedOperations.map((operation) => [operation.id, operation] as const))(
  'the documented example of %s gets a documented response from the demo',
  async (_, operation) => {
    const bearer = (['merchant', 'customer', 'staff'] as const).find((kind) => operation.callers.includes(kind)) ?? 'none';
    const request = exampleOf(operation, bearer);
    const received = await sendRequest(environment.system.gatewayUrl, request, tokens);
    expect(checkResponse(request, received)).toBeUndefined();
    const body = JSON.parse(received.text);
    // The demo's store has no pace, so no quarters.
    if (operation.id === 'setPace') expect(body.error.code).toBe('VALIDATION_FAILED');
    else if (received.status !== 200) expect(body.code ?? body.error.code).toMatch(missingRecordCodes);
  },
);

const seed = 20_261_121;

const [ofDirectory, ofOthers] = [true, false].map((wanted) =>
  documentedOperations.filter(({ path }) => path.startsWith('/api/v1/directory/') === wanted).map(({ id }) => id),
) as [string[], string[]];

/** Fails also when half of the operations never succeeded. */
async function expectDocumented(only: readonly string[], requests: number): Promise<void> {
  const result = await fuzz(environment.system, { requests, seed, only });
  expect(result.faults.length === 0 ? '' : describeResult(result)).toBe('');
  expect([...result.responses.keys()].sort()).toEqual(only);
  const succeeded = [...result.responses].filter(([, counts]) => counts.has(200)).map(([operation]) => operation);
  expect(succeeded.length).toBeGreaterThan(only.length / 2);
}

test('every response to 1,500 generated requests is one that the OpenAPI document describes', () => expectDocumented(ofOthers, 1_500));

test('the typed client pages through the order history of a fuzzed store, each order once, at any page size', async () => {
  const store_id = stores.coffee.id;
  const { gatewayUrl: baseUrl, tokens: issuer } = environment.system;
  const corner = createClient({ baseUrl, token: () => issuer.token({ typ: 'merchant', sub: people.bo.id, stores: [store_id] }) });
  await corner.POST('/api/v1/orders/stores/{store_id}/pause', { params: { path: { store_id } }, body: { paused: false } });
  const item = { path: { store_id, menu_item_id: 'flat-white' } };
  await corner.PATCH('/api/v1/orders/stores/{store_id}/menu/{menu_item_id}', { params: item, body: { sold_out: 'no', left: null } });
  const ana = createClient({ baseUrl, token: () => issuer.token({ typ: 'customer', sub: people.ana.id }) });
  for (let n = 0; n < 3; n += 1) {
    const items = [{ menu_item_id: 'flat-white', quantity: 1 }];
    const basket = { store_code: stores.coffee.code, store_id, idempotency_key: randomUUID(), items };
    const { data } = await ana.POST('/api/v1/orders', { body: basket });
    const params = { path: { orderId: data.order_id } };
    await corner.PATCH('/api/v1/orders/{orderId}/status', { params, body: { store_id, status: 'cancelled', note: 'Closing early.' } });
  }
  const idsWithPageSize = async (pageSize: number) => {
    const ids: string[] = [];
    for await (const { id } of orderHistory(corner, { store_id, pageSize })) ids.push(id);
    return ids;
  };
  const ids = await idsWithPageSize(100);
  expect(ids.length).toBeGreaterThan(2);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await idsWithPageSize(1)).toEqual(ids);
  await expect(
    corner.GET('/api/v1/orders', { params: { query: { store_id, scope: 'history', before: 'yesterday' } } }),
  ).rejects.toMatchObject({
    code: 'INVALID_CURSOR',
    requestId: expect.any(String),
  });
});

// Last: what the fuzz does to the settings of the demo's stores would leave little to order.
test('every response to 600 generated requests to the directory is one that the OpenAPI document describes', () =>
  expectDocumented(ofDirectory, 600));
