import { createLog } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { answers, type Outsider, startOutsider } from '@corner/testkit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readOrdersConfig } from '../config.ts';
import { createProvider } from '../service.ts';
import { calling as callProvider } from './adapters.ts';
import { Declined } from './rules.ts';

async function calling<T>(respond: Outsider['respond'], call: (provider: Provider) => Promise<T>): Promise<T> {
  await using outsider = await startOutsider();
  outsider.respond = respond;
  return await call(providerOf(outsider));
}

const providerOf = (outsider: Outsider) => {
  const settings = { STRIPE_SECRET_KEY: 'sk_test_corner', STRIPE_API_BASE: outsider.url, STRIPE_WEBHOOK_SECRETS: 'whsec_1' };
  return createProvider(readOrdersConfig({ ...environment, ...settings, STRIPE_TIMEOUT_MS: '60000' }), createLog('orders', 'silent'));
};
const environment = {
  DATABASE_URL: 'postgres://corner_orders:secret@127.0.0.1:9/corner',
  NATS_URL: 'nats://127.0.0.1:9',
  AUTH_ISSUER: 'http://127.0.0.1:9',
  AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
};

const says = (status: number, body: string) => () =>
  Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);

describe('what is no response of the provider', () => {
  const bodies = [
    '"upstream error"',
    '1',
    'true',
    'null',
    '[]',
    '{}',
    '{"error":null}',
    '{"error":1}',
    '{"message":"Forbidden"}',
    '<html>',
  ];

  test('is PAYMENT_PROVIDER_ERROR, with whatever status', async () => {
    const said = [200, 400, 403, 404, 409, 502].flatMap((status) => bodies.map((body) => [status, body] as const));
    const codes = said.map(async ([status, body]) => {
      const error = await calling(says(status, body), ({ payments }) => payments.intent('pi_1')).catch((fault: unknown) => fault);
      return [status, body, error instanceof Problem ? error.code : error];
    });
    expect(await Promise.all(codes)).toEqual(said.map(([status, body]) => [status, body, 'PAYMENT_PROVIDER_ERROR']));
  });

  test('is asked again under the same key, as after a lost response, and the next response counts', async () => {
    const keys: (string | undefined)[] = [];
    const respond: Outsider['respond'] = (request) => {
      keys.push(/^idempotency-key: *(\S+)/im.exec(request)?.[1]);
      return says(200, keys.length < 3 ? '"upstream error"' : '{"object":"customer","id":"cus_1"}')();
    };
    expect(await calling(respond, ({ payments }) => payments.createCustomer('ada', 'customer:ada'))).toEqual({ id: 'cus_1' });
    expect(keys).toEqual(['customer:ada', 'customer:ada', 'customer:ada']);
  });

  test('makes no account unknown: the page of a proxy with 403 or 404 is none of the provider', async () => {
    for (const status of [403, 404]) {
      const asked = calling(says(status, '{"error":"blocked by policy"}'), ({ accounts }) => accounts.account('acct_1'));
      await expect(asked).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR' });
    }
  });

  test('is not read to its end when it is longer than sixteen million characters', async () => {
    const long = says(200, `{"object":"customer","id":"${'c'.repeat(17_000_000)}"}`);
    await expect(calling(long, ({ payments }) => payments.createCustomer('ada', 'key'))).rejects.toMatchObject({
      code: 'PAYMENT_PROVIDER_ERROR',
    });
  });
});

describe('a provider that has no time', () => {
  const busy =
    (body: object, header = '') =>
    () => {
      const text = JSON.stringify({ error: { type: 'invalid_request_error', message: 'Later.', ...body } });
      return Buffer.from(`HTTP/1.1 429 X\r\nContent-Length: ${text.length}\r\n${header}Connection: close\r\n\r\n${text}`);
    };

  test.each([
    ['too many requests', { code: 'rate_limit' }, '', '2'],
    ['a lock that is held', { code: 'lock_timeout' }, '', '2'],
    ['too many requests, with a time', { code: 'rate_limit' }, 'Retry-After: 7\r\n', '7'],
    ['too many requests, with a day', { code: 'rate_limit' }, 'Retry-After: 86400\r\n', '60'],
  ])('is UPSTREAM_UNAVAILABLE with a time to repeat after: %s', async (_what, body, header, seconds) => {
    const asked = calling(busy(body, header), ({ payments }) => payments.createIntent(request, 'key'));
    await expect(asked).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', headers: { 'Retry-After': seconds }, mayBeKept: false });
  });
});

const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  client_secret: 's',
  amount: 640,
  amount_received: 640,
  currency: 'gbp',
  metadata: { order_id: 'o' },
  transfer_data: { destination: 'acct_1' },
  latest_charge: 'ch_1',
};
const refund = { id: 're_1', object: 'refund', status: 'succeeded', amount: 5, payment_intent: 'pi_1', metadata: {}, failure_reason: null };
const listOf = (...data: object[]) => ({ object: 'list', data, has_more: false });
const dispute = {
  id: 'du_1',
  object: 'dispute',
  status: 'needs_response',
  reason: 'fraudulent',
  amount: 640,
  currency: 'gbp',
  charge: 'ch_1',
  evidence_details: { due_by: 1_800_000_000 },
  balance_transactions: [{ id: 'txn_1', amount: -640, fee: 2_000, currency: 'gbp' }],
};
const account = {
  id: 'acct_1',
  object: 'account',
  charges_enabled: true,
  details_submitted: true,
  payouts_enabled: true,
  capabilities: { transfers: 'active' },
  requirements: { disabled_reason: null, currently_due: ['a'], past_due: [], current_deadline: 1_800_000_000 },
};
const charge = { id: 'ch_1', object: 'charge', amount: 640, currency: 'gbp', status: 'succeeded', payment_intent: 'pi_1' };
const movement = { id: 'txn_1', object: 'balance_transaction', type: 'charge', amount: 640, fee: 30, currency: 'gbp', source: charge };
const payout = {
  id: 'po_1',
  object: 'payout',
  amount: 5,
  currency: 'gbp',
  status: 'paid',
  arrival_date: 1_800_000_000,
  created: 1_800_000_000,
  automatic: true,
  reconciliation_status: 'completed',
  failure_code: null,
};
const transfer = { id: 'tr_1', object: 'transfer', amount: 600, amount_reversed: 0, metadata: { dispute_id: 'du_1' } };
const event = { id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', livemode: false, data: { object: { id: 'pi_1' } } };
const domain = { id: 'pmd_1', object: 'payment_method_domain', enabled: true, apple_pay: { status: 'active' } };
type Provider = ReturnType<typeof createProvider>;
const day = new Date('2027-01-01T00:00:00Z');
const request = {
  orderId: 'o',
  storeId: 's',
  amountPence: 640,
  currency: 'GBP',
  customer: 'cus_1',
  destination: 'acct_1',
  feePence: 32,
  onBehalfOf: true,
  descriptor: 'Corner',
  delayedMethods: false,
};
const refunding = { refundId: 'r', orderId: 'o', intentId: 'pi_1', amountPence: 5, withFee: true, borneBy: 'store' as const };
const share = { madeFor: { kind: 'dispute' as const, id: 'du_1' }, orderId: 'o', amountPence: 5 };

const calls: readonly (readonly [string, object, (provider: Provider) => Promise<unknown>])[] = [
  ['createIntent', intent, ({ payments }) => payments.createIntent(request, 'key')],
  ['cancelIntent', intent, ({ payments }) => payments.cancelIntent('pi_1')],
  ['intentsOf', listOf(intent), ({ payments }) => payments.intentsOf('cus_1', 'o')],
  ['createCustomer', { id: 'cus_1', object: 'customer' }, ({ payments }) => payments.createCustomer('ada', 'key')],
  ['findCustomer', listOf({ id: 'cus_1', metadata: {} }), ({ payments }) => payments.findCustomer('ada', day)],
  ['ephemeralKey', { id: 'e', object: 'ephemeral_key', secret: 'ek' }, ({ payments }) => payments.ephemeralKey('cus_1', 'key')],
  ['intentOfCharge', charge, ({ payments }) => payments.intentOfCharge('ch_1')],
  ['refund', refund, ({ refunds }) => refunds.refund(refunding, 'key')],
  ['refundsOf', listOf(refund), ({ refunds }) => refunds.refundsOf('pi_1')],
  ['disputesOf', listOf(dispute), ({ disputes }) => disputes.disputesOf('pi_1')],
  ['account', account, ({ accounts }) => accounts.account('acct_1')],
  ['connectedAccounts', listOf(account), ({ accounts }) => accounts.connectedAccounts()],
  ['payoutsOf', listOf(payout), ({ payouts }) => payouts.payoutsOf('acct_1', day)],
  ['entriesOf', listOf({ ...movement, net: 610 }), ({ payouts }) => payouts.entriesOf('acct_1', 'po_1')],
  ['movements', listOf(movement), ({ balance }) => balance.movements(day, day)],
  ['payStore', transfer, ({ transfers }) => transfers.payStore({ ...share, account: 'acct_1', currency: 'GBP' }, 'key')],
  ['registerDomain', listOf(domain), ({ domains }) => domains.register('shop.example.com')],
  ['eventsCreated', listOf(event), ({ providerEvents }) => providerEvents.eventsCreated(day, day)],
];

function isSound(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Date) return true;
  return Object.entries(value).every(([name, part]) => {
    if (/pence$/i.test(name)) return part === null || Number.isSafeInteger(part);
    if (/^(id|status|currency|kind)$/.test(name)) return typeof part === 'string';
    return isSound(part);
  });
}

test('whatever comes as a response, a call ends with what the provider sends, or with a named error, and with nothing else', async () => {
  for (const [, valid, call] of calls) await calling(says(200, JSON.stringify(valid)), call);
  const seed = Number(process.env.FAST_CHECK_SEED ?? 1);
  const unsound = calls.flatMap(([name, valid, call]) =>
    fc.sample(answers(valid), { numRuns: 40, seed }).map(async ({ bytes }) => {
      const end = await calling(() => bytes, call).then(
        (value) => (isSound(value) ? null : { value }),
        (error: unknown) => (error instanceof Problem || error instanceof Declined ? null : { error }),
      );
      return end && { name, sent: bytes.toString().slice(-300), ...end };
    }),
  );
  expect((await Promise.all(unsound)).filter((end) => end !== null)).toEqual([]);
});

test('a request is begun without the stack trace that the SDK captures of each, and its own errors have theirs', async () => {
  const begun = await callProvider(async () => new Error('of the SDK').stack);
  expect(begun).toBe('Error: of the SDK');
  expect(new Error('after it').stack).toContain('answers.test.ts');
  const failed = callProvider(() => Promise.reject(new Error('of the network')));
  await expect(failed).rejects.toMatchObject({ stack: expect.stringContaining('calling') });
});
