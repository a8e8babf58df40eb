import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningPayments, startPayments } from '../payments/start-payments.ts';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

const preflight = (path: string, origin: string) =>
  fetch(`${payments.url}${path}`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });

test.each(['http://localhost:5173', 'https://localhost', 'http://127.0.0.1:8080', 'http://[::1]:3000', 'http://shop.localhost:5173'])(
  'a page at %s may call the payment simulator and read its response',
  async (origin) => {
    const { status, headers } = await preflight('/v1/payment_intents/pi_1/confirm', origin);
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization',
    });
    const read = await fetch(`${payments.url}/v1/balance`, { headers: { origin, authorization: 'Bearer sk_test_corner' } });
    expect([read.status, read.headers.get('access-control-allow-origin'), read.headers.get('vary')]).toEqual([200, origin, 'Origin']);
  },
);

test.each(['https://shop.example', 'http://localhost.example:5173', 'null', 'file://localhost'])(
  'a page at %s may not call it',
  async (origin) => {
    const { headers } = await preflight('/v1/payment_intents/pi_1/confirm', origin);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('the controls stay closed to every page of another origin', async () => {
  const { status, headers } = await preflight('/_sim/clear-faults', 'http://localhost:5173');
  expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
});
