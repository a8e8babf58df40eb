import { stores } from '@corner/sandbox/demo';
import type { Message } from '@corner/sandbox/messages';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { basket, newShopper, payAndConfirm, type Shopper } from '../testing/order-scenario.ts';
import { publishDirectory } from '../testing/own-store.ts';
import { recordingClient } from '../testing/recording-client.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await sharedEnvironment();
});

const store_id = stores.coffee.id;
const clientOf = (token: string, key: string) =>
  recordingClient(environment.system.gatewayUrl, environment.history, { operation: 'mail', token, traceId: undefined, key });

/** Publishes a new customer with an e-mail address and no device, so that every message is a mail. */
async function reader(language: 'en' | 'fr'): Promise<Shopper & { readonly email: string }> {
  const shopper = await newShopper(environment.system);
  const email = `${shopper.customerId}@example.com`;
  await publishDirectory(environment.system, { customers: [{ id: shopper.customerId, name: 'Dee', email, language }] });
  return { ...shopper, email };
}

const mailsTo = async (email: string) =>
  (await (await fetch(`${environment.system.messagesUrl}/inbox.json?to=${email}`)).json()) as readonly Message[];
const mailTo = (email: string, subject: RegExp) =>
  until(async () => (await mailsTo(email)).find(({ title }) => subject.test(title)), { describe: `a mail ${subject}` });

test('a paid order’s receipt has its lines, its VAT and its collection code, in the customer’s language', async () => {
  const { customer, key, email } = await reader('fr');
  const client = clientOf(customer, key);
  const { data: order } = await client.POST('/api/v1/orders', { body: basket(key) });
  const confirmed = await payAndConfirm(environment, client, store_id, order);
  const { text, headers } = await mailTo(email, /^Reçu de la commande S1-/);
  const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ');
  expect(plain).toMatch(/1 × Flat white +3,40 £\n1 × Croissant +2,90 £\nTotal +6,30 £/);
  expect(plain).toContain('Numéro de TVA: GB 123 4567 89');
  expect(plain).toContain('Taux de TVA 20 %, HT 2,83 £, TVA 0,57 £, TTC 3,40 £');
  expect(plain).toContain('Taux de TVA 0 %, HT 2,90 £, TVA 0,00 £, TTC 2,90 £');
  expect(plain).toMatch(/Code de retrait: \w{4}\nRetrait: /);
  expect(confirmed.order_id).toBe(order.order_id);
  expect(headers['list-unsubscribe']).toBeUndefined();
  const [, link = ''] = /^Ouvrir ou imprimer le reçu: (\S+)$/m.exec(plain) ?? [];
  const page = await fetch(link);
  expect([new URL(link).port, page.status]).toEqual([new URL(environment.system.gatewayUrl).port, 200]);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
  expect([page.headers.get('x-robots-tag'), page.headers.get('referrer-policy')]).toEqual(['noindex', 'no-referrer']);
  expect(await page.text()).toMatch(
    /<h1>Facture S1-\d+<\/h1>\s*<address><strong>Corner Coffee<\/strong><br>\s*Corner Coffee Roasters Ltd<br>/,
  );
});

test('one click in a mail about a stamp stops mail about stamps', async () => {
  const { customerId: customer_id, customer, merchant, key, email } = await reader('en');
  await clientOf(merchant, key).POST('/api/v1/loyalty/stamps', { body: { store_id, customer_id, idempotency_key: key } });
  const { headers } = await mailTo(email, /^You have a new stamp$/);
  const link = headers['list-unsubscribe']?.slice(1, -1) ?? '';
  expect(new URL(link).port).toBe(new URL(environment.system.gatewayUrl).port);
  const clicked = await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect(clicked.status).toBe(200);
  const { data } = await clientOf(customer, key).GET('/api/v1/notifications/preferences', {});
  expect(data.preferences).toMatchObject([{ storeId: store_id, stampEventsEnabled: false, voucherEventsEnabled: true }]);
});
