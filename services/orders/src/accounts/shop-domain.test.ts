import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { domainOf } from './rules.ts';
import { registerShopDomain } from './sagas.ts';

let running: Running;
let shopDomain: string;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => {
  shopDomain = `${crypto.randomUUID()}.example.com`;
  running.payments.controls.clearFaults();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const register = () => registerShopDomain({ ...running.service.context, shopDomain });
const registered = () =>
  running.payments
    .books()
    .domains.filter(({ domain_name }) => domain_name === shopDomain)
    .map(({ apple_pay }) => apple_pay.status);

test('the shop’s domain is registered once, however often the job runs', async () => {
  await register();
  await register();
  expect(registered()).toEqual(['active']);
});

test.each(['lost_after', 'error_after', 'error_before'] as const)('a registration whose response is %s is made up for', async (how) => {
  running.payments.controls.failNext({ how, method: 'POST', path: '/v1/payment_method_domains' });
  await register().catch(() => {});
  await register();
  expect(registered()).toEqual(['active']);
});

test('a domain that Apple could not verify is checked again', async () => {
  running.payments.controls.failDomains(true);
  await register();
  await register();
  expect(registered()).toEqual(['inactive']);
  running.payments.controls.failDomains(false);
  await register();
  expect(registered()).toEqual(['active']);
});

test('without an address of the shop nothing is registered', async () => {
  const before = running.payments.books().domains.length;
  await registerShopDomain(running.service.context);
  expect(running.payments.books().domains).toHaveLength(before);
});

test.each([
  ['https://shop.example.com', 'shop.example.com'],
  ['https://shop.example.com:8443/shops', 'shop.example.com'],
  ['http://shop.example.com', null],
  ['https://localhost:4007', null],
  ['https://shop.localhost', null],
  ['https://192.0.2.1', null],
  [undefined, null],
])('the domain of %s is %s', (url, domain) => {
  expect(domainOf(url)).toBe(domain);
});
