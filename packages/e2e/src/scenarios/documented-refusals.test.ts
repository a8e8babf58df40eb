import { randomUUID } from 'node:crypto';
import { operations, type ProblemCode } from '@corner/contracts';
import { demoTokens, people, stores } from '@corner/sandbox';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshTap } from '../testing/loyalty-scenario.ts';
import { pay } from '../testing/order-scenario.ts';
import { compareWithExamples, type ResponseExamples } from '../testing/response-examples.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { undocumented } from '../testing/undocumented-refusals.ts';

let environment: TestEnvironment;
let tokens: Awaited<ReturnType<typeof demoTokens>>;
const seen: ResponseExamples = {};
const unknownId = '0190a000-0000-7000-8000-00000000dead';

beforeAll(async () => {
  environment = await startTestEnvironment();
  tokens = await demoTokens(environment.system.tokens);
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

interface Call {
  /** Values of the example's params, query and body to replace; undefined takes the field away. */
  readonly with?: Record<string, unknown>;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly raw?: string;
}

/** Calls an operation with the example of its contract, some values replaced, and keys of its own. */
async function call(name: string, { with: other = {}, token, headers = {}, raw }: Call = {}) {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const { params = {}, query = {}, body } = operation.example as { params?: Fields; query?: Fields; body?: Fields };
  const replaced = (fields: Fields) => Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, other[field] ?? value]));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, param: string) => String(replaced(params)[param]));
  const added = Object.fromEntries(Object.entries(other).filter(([field]) => !(field in params)));
  const search = new URLSearchParams(operation.method === 'GET' ? ({ ...query, ...added } as Record<string, string>) : {});
  const key = randomUUID();
  const sent = body && JSON.stringify({ ...body, ...('idempotency_key' in body ? { idempotency_key: key } : {}), ...added });
  const allowed = (operation.caller.types as readonly string[]).includes('customer') ? tokens.ana : tokens.bo;
  const response = await fetch(`${environment.system.gatewayUrl}${path}?${search}`, {
    method: operation.method,
    headers: {
      ...(operation.caller.optional && token === undefined ? {} : { authorization: `Bearer ${token ?? allowed}` }),
      'idempotency-key': key,
      ...(sent ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(sent ? { body: raw ?? sent } : {}),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
type Fields = Record<string, unknown>;
type Body = Record<string, never> & { readonly error?: { readonly code: string } };

/** Calls an operation, expects a refusal, and keeps it as that operation's example, or as everyone's. */
async function refused(name: string, code: ProblemCode, request: Call = {}, keptFor = name): Promise<void> {
  const { status, body } = await call(name, request);
  expect({ name, code: body.error?.code ?? `${status} ${JSON.stringify(body)}` }).toEqual({ name, code });
  seen[keptFor] = { problems: { ...seen[keptFor]?.problems, [code]: body } };
}

/** Calls an operation that must succeed, to prepare a refusal. */
async function done(name: string, request: Call = {}): Promise<Record<string, string>> {
  const { status, body } = await call(name, request);
  expect({ name, status, body }).toMatchObject({ name, status: 200 });
  return body as unknown as Record<string, string>;
}

test('what every operation may refuse', async () => {
  await refused('listOrders', 'UNAUTHENTICATED', { token: 'not-a-token' }, '*');
  await refused('listOrders', 'WRONG_TOKEN_TYPE', { token: tokens.ana }, '*');
  await refused('listOrders', 'STORE_FORBIDDEN', { with: { store_id: unknownId } }, '*');
  await refused('createOrder', 'VALIDATION_FAILED', { with: { items: [{ menu_item_id: 'flat-white', quantity: 0 }] } }, '*');
  await refused('createOrder', 'INVALID_JSON', { raw: '{"store_code": "S1",' }, '*');
  await refused('createOrder', 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' } }, '*');
  await refused('createOrder', 'PAYLOAD_TOO_LARGE', { raw: JSON.stringify({ note: 'a'.repeat(70_000) }) }, '*');
  await refused('listOrders', 'NOT_ACCEPTABLE', { headers: { accept: 'text/html' } }, '*');
  const headers = { 'idempotency-key': randomUUID() };
  await done('answerMarketingOptIn', { headers });
  await refused('answerMarketingOptIn', 'IDEMPOTENCY_KEY_REUSED', { headers, with: { accepted: false } }, '*');
});

test('a record that does not exist', async () => {
  for (const name of [
    'advanceFulfilment',
    'collectEarlier',
    'confirmOrder',
    'getMyOrder',
    'getOrder',
    'notifyDelay',
    'orderLog',
    'refundOrder',
    'setBusinessStatus',
  ])
    await refused(name, 'ORDER_NOT_FOUND');
  for (const name of ['resolvePendingStamp', 'reviewStamp', 'undoStamp']) await refused(name, 'STAMP_NOT_FOUND');
  for (const name of [
    'assignQueueEntry',
    'callQueueEntry',
    'completeQueueEntry',
    'convertQueueEntry',
    'noShowQueueEntry',
    'recallQueueEntry',
    'leaveQueue',
  ])
    await refused(name, 'QUEUE_ENTRY_NOT_FOUND');
  await refused('redeemVoucher', 'VOUCHER_NOT_FOUND');
  await refused('redeemStampCode', 'CODE_NOT_FOUND');
  const token = await environment.system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [unknownId] });
  for (const name of ['customerState', 'grantStamp', 'listQueueEntries'])
    await refused(name, 'STORE_NOT_FOUND', { token, with: { store_id: unknownId } });
  for (const name of [
    'createOrder',
    'generateStampCode',
    'joinQueue',
    'answerMarketingOptIn',
    'listWalletPasses',
    'readMenu',
    'listOpenSlots',
  ])
    await refused(name, 'STORE_NOT_FOUND', { with: { store_id: unknownId } });
  await refused('upsertPreferences', 'STORE_NOT_FOUND', { with: { storeId: unknownId } });
  await refused('requestMultiStamp', 'STORE_NOT_FOUND', { with: { store_id: 'NOPE' } });
  await refused('confirmMultiStamp', 'STORE_NOT_FOUND', { with: { store_code: 'NOPE' } });
});

test('a token without the scope', async () => {
  const { tokens: issuer } = environment.system;
  const token = await issuer.token({ typ: 'merchant', sub: people.bo.id, stores: [stores.coffee.id], scope: 'orders:write' });
  await refused('customerState', 'INSUFFICIENT_SCOPE', { token });
  await refused('listPreferences', 'INSUFFICIENT_SCOPE', {
    token: await issuer.token({ typ: 'customer', sub: people.ana.id, scope: 'orders:write' }),
  });
});

test('an order that cannot be placed', async () => {
  const scheduled = { collection_mode: 'scheduled' };
  const line = (menu_item_id: string, quantity = 1) => ({ items: [{ menu_item_id, quantity }] });
  for (const [code, other] of [
    ['STORE_CODE_MISMATCH', { store_code: 'S2' }],
    ['ITEM_NOT_FOUND', line('pumpkin-latte')],
    ['OUT_OF_STOCK', line('last-cinnamon-bun', 2)],
    ['SLOT_NOT_FOUND', { ...scheduled, slot_id: unknownId }],
    ['GROUPS_MISMATCH', { fulfilment_groups: [{ role: 'now', ...line('espresso') }] }],
    ['PROMO_INVALID', { promo_code: 'NOPE' }],
    ['PROMO_NOT_APPLICABLE', { promo_code: 'ONEOFF', ...line('croissant') }],
    ['VOUCHER_NOT_FOUND', { voucher_id: unknownId }],
  ] as const)
    await refused('createOrder', code, { with: other });
  const key = { idempotency_key: randomUUID() };
  await done('createOrder', { with: key });
  await refused('createOrder', 'IDEMPOTENCY_KEY_REUSED', { with: { ...key, ...line('espresso') } });
  for (const name of ['listOrders', 'listMyOrders']) await refused(name, 'INVALID_CURSOR', { with: { before: 'yesterday' } });
});

test('an order that is not paid', async () => {
  const { order_id: orderId, payment_intent_id } = await done('createOrder');
  for (const name of ['advanceFulfilment', 'notifyDelay', 'refundOrder', 'setBusinessStatus'])
    await refused(name, 'ORDER_NOT_PAID', { with: { orderId } });
  await refused('confirmOrder', 'PAYMENT_NOT_SUCCEEDED', { with: { payment_intent_id } });
});

/** Places, pays and confirms an order of the example. */
async function paidOrder(other: Record<string, unknown> = {}): Promise<string> {
  const { order_id, payment_intent_id = '' } = await done('createOrder', { with: other });
  await pay(environment.system, environment.history, payment_intent_id);
  await done('confirmOrder', { with: { payment_intent_id } });
  return order_id ?? '';
}

test('an order in another state', async () => {
  const orderId = await paidOrder();
  await refused('notifyDelay', 'INVALID_ETA', { with: { orderId, newReadyAt: '2020-01-01T09:00:00Z' } });
  await refused('collectEarlier', 'ORDER_NOT_READY', { with: { order_id: orderId } });
  await refused('refundOrder', 'REFUND_AMOUNT_EXCEEDS_REMAINING', { with: { orderId, amount_pence: 100_000 } });
  await refused('advanceFulfilment', 'INVALID_TRANSITION', { with: { orderId, to_status: 'collected' } });
  for (const to_status of ['preparing', 'ready']) await done('advanceFulfilment', { with: { orderId, to_status } });
  await refused('collectEarlier', 'ORDER_HAS_NO_SLOT', { with: { order_id: orderId } });
  await done('advanceFulfilment', { with: { orderId, to_status: 'collected' } });
  await refused('notifyDelay', 'ORDER_TERMINAL', { with: { orderId } });
  await done('refundOrder', { with: { orderId, amount_pence: undefined } });
  await refused('refundOrder', 'ALREADY_REFUNDED', { with: { orderId } });
  const bought = await paidOrder({ order_type: 'buy_now' });
  await refused('advanceFulfilment', 'FULFILMENT_NOT_APPLICABLE', { with: { orderId: bought } });
});

test('stamps, codes, taps and vouchers', async () => {
  for (const [code, other] of [
    ['NFC_PROOF_INCOMPLETE', { nfc_cmac: '0000000000000000' }],
    ['NFC_PROOF_INVALID', { ...freshTap(), nfc_cmac: '0000000000000000' }],
    ['NFC_TAG_WRONG_STORE', { ...freshTap(), store_id: stores.cuts.id }],
  ] as const)
    await refused('generateStampCode', code, { with: other });
  const { full_message: code } = await done('generateStampCode', { with: { ...freshTap() } });
  await refused('redeemStampCode', 'CODE_WRONG_STORE', { token: tokens.ana, with: { code, expected_store_id: stores.cuts.id } });
  await done('redeemStampCode', { token: tokens.ana, with: { code } });
  const another = await environment.system.tokens.token({ typ: 'customer', sub: randomUUID() });
  await refused('redeemStampCode', 'CODE_ALREADY_USED', { token: another, with: { code } });

  await refused('confirmMultiStamp', 'NO_PENDING_REQUEST', { with: { ...freshTap() } });
  await done('requestMultiStamp');
  await refused('confirmMultiStamp', 'STAFF_CREDENTIAL_REQUIRED', { with: { staff_secret: undefined, ...freshTap() } });
  await refused('confirmMultiStamp', 'STAFF_CREDENTIAL_INVALID', {
    with: { staff_secret: 'card_ffffffffffffffffffffffffffffffff', ...freshTap() },
  });
  await refused('confirmMultiStamp', 'NFC_PROOF_REQUIRED');
});

test('the queue', async () => {
  await refused('joinQueue', 'WALK_INS_NOT_ACCEPTED', { with: { store_id: stores.coffee.id } });
  await refused('joinQueue', 'SERVICE_NOT_FOUND', { with: { service_id: unknownId } });
  await refused('joinQueue', 'UNIT_NOT_FOUND', { with: { preferred_unit_id: unknownId } });
  const { entry_id } = await done('joinQueue');
  await refused('assignQueueEntry', 'UNIT_NOT_FOUND', { with: { entry_id, unit_id: unknownId } });
  for (const name of ['completeQueueEntry', 'noShowQueueEntry']) await refused(name, 'INVALID_TRANSITION', { with: { entry_id } });
  for (const name of ['assignQueueEntry', 'completeQueueEntry']) await done(name, { with: { entry_id } });
  for (const name of ['callQueueEntry', 'recallQueueEntry', 'assignQueueEntry', 'convertQueueEntry'])
    await refused(name, 'INVALID_TRANSITION', { with: { entry_id } });
});

test('each refusal is in openapi.json as it was returned', () => {
  expect(compareWithExamples(seen)).toEqual([]);
});

test('every problem of every operation was provoked here, or is in the list of those that are not, with the reason', () => {
  const pairs = operations.flatMap(({ name, problems }) => problems.map((code) => `${name} ${code}`));
  const provoked = new Set(
    Object.entries(seen).flatMap(([name, { problems = {} }]) => Object.keys(problems).map((code) => `${name} ${code}`)),
  );
  const missing = pairs.filter((pair) => !provoked.has(pair) && !undocumented.has(pair));
  expect({ missing, inVain: [...undocumented.keys()].filter((pair) => provoked.has(pair) || !pairs.includes(pair)) }).toEqual({
    missing: [],
    inVain: [],
  });
});
