// covers: getMyOrder, listMyOrders

import { randomUUID } from 'node:crypto';
import { type DataInputOf, directoryCustomer, directoryStore } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { receiptToken } from '../order/crypto.ts';
import { writeContact, writeStore } from '../shop/tables/projections.ts';
import { customer, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { menu, type OpenStore, publicBaseUrl, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

const seller = {
  name: 'Corner & Co',
  legal_name: 'Corner Coffee Ltd',
  address: { lines: ['12 Market <Street>'], postcode: 'E8 1AB', city: 'London', country: 'GB' },
  vat_number: 'GB 123 4567 89',
};
const rated = menu.map((item) => ({ ...item, vat_rate_bps: item.id === 'flat-white' ? 2000 : 0 }));

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore(seller, rated);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** A coffee of 350 at 20 %, a croissant of 290 at 0 %, and a tip of 60. */
const items = [
  { menu_item_id: 'flat-white', quantity: 1 },
  { menu_item_id: 'croissant', quantity: 1 },
];
const bought = (request: Record<string, unknown> = {}, of = store) => paidOrder(running, of, { items, tip_pence: 60, ...request });

const tokenOf = (orderId: string) => receiptToken(running.service.context.deviceSecret, orderId);

async function open(path: string) {
  const response = await fetch(`${running.service.url}/receipts/${path}`);
  const html = await response.text();
  const text = html.replace(/<style>.*<\/style>/s, '').replaceAll(/<[^>]*>/g, ' ');
  return { status: response.status, headers: response.headers, html, text: text.replaceAll(/[\s\u00a0\u202f]+/g, ' ') };
}
const invoice = (orderId: string) => open(tokenOf(orderId));
const creditNote = (orderId: string, number: number | string) => open(`${tokenOf(orderId)}/credit-notes/${number}`);

const publish = (changes: Partial<DataInputOf<typeof directoryStore>> & { readonly version: number }) =>
  writeStore(
    running.service.database,
    directoryStore.data.parse({ id: store.id, code: store.code, connected_account_id: store.account, fee_bps: 500, ...seller, ...changes }),
  );

describe('an invoice', () => {
  test('names the seller, what was sold, its VAT by rate, and how it was paid', async () => {
    const order = await bought();
    const { status, headers, text, html } = await invoice(order.id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(text).toContain(
      'Corner &amp; Co Corner Coffee Ltd 12 Market &lt;Street&gt; London E8 1AB United Kingdom VAT number GB 123 4567 89',
    );
    expect(text).toMatch(/VAT invoice S1-\d+ .*Number S1-\d+ Date \d+ \w+ \d{4} at \d\d:\d\d Payment Paid online/);
    expect(text).toContain('1 × Flat white 20% £3.50 1 × Croissant 0% £2.90 Subtotal £6.40 Tip £0.60 Total £7.00');
    expect(text).toContain('VAT included VAT rate Net VAT Gross 20% £2.92 £0.58 £3.50 0% £2.90 £0.00 £2.90');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toMatch(/<script|https?:\/\//);
  });

  test('shows the seller as it was when the order was paid, whatever it is afterwards', async () => {
    const before = await bought();
    const { text } = await invoice(before.id);
    await publish({ version: 2, name: 'Sold Ltd', legal_name: null, address: null, vat_number: null, time_zone: 'Asia/Tokyo' });
    const after = await bought();
    expect((await invoice(before.id)).text).toBe(text);
    expect((await invoice(after.id)).text).toMatch(/^ Receipt S1-\d+ – Sold Ltd Receipt S1-\d+ Sold Ltd Number/);
    // A snapshot with the same seller, or an outdated one, adds no state.
    await publish({ version: 3, paused_until: null });
    await publish({ version: 1, name: 'Late Ltd' });
    expect((await invoice((await bought()).id)).text).toContain('Corner &amp; Co Corner Coffee Ltd');
  });

  test('is in the language of its customer', async () => {
    const ada = customer(running);
    const snapshot = directoryCustomer.data.parse({ id: ada.sub, version: 1, name: 'Dee', language: 'fr' });
    await writeContact(running.service.database, snapshot);
    const { order_id } = await ada.paid(store, { items });
    const { html, text } = await invoice(order_id);
    expect(html).toContain('<html lang="fr">');
    expect(text).toMatch(/Facture S1-\d+ .* Royaume-Uni Numéro de TVA GB 123 4567 89 .* 1 × Flat white 20 % 3,50 £/);
  });

  test('of an order that cost nothing says so', async () => {
    const { id } = await bought({ items: [{ menu_item_id: 'sample', quantity: 1 }], tip_pence: 0 });
    expect((await invoice(id)).text).toMatch(/Payment Nothing to pay .* Total £0\.00 $/);
  });

  test('has an address that the customer’s order names once it is paid', async () => {
    const ada = customer(running);
    const { body: order } = await ada.create(store);
    const urls = async () => [
      (await ada.call('GET', `/api/v1/orders/${order.order_id}/mine`)).body.order.receipt_url,
      (await ada.call('GET', '/api/v1/orders/mine')).body.orders[0].receipt_url,
    ];
    expect(await urls()).toEqual([null, null]);
    expect((await invoice(order.order_id)).status).toBe(404);
    await ada.payAndConfirm(store, order);
    const url = `${publicBaseUrl}/receipts/${tokenOf(order.order_id)}`;
    expect(await urls()).toEqual([url, url]);
  });

  test('is at no other address: not at the order’s id, nor at a token with another id, proof or spelling', async () => {
    const [own, other] = [await bought(), await bought()];
    const token = tokenOf(own.id);
    const mixed = `${tokenOf(other.id).slice(0, 22)}${token.slice(22)}`;
    const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    const unknown = receiptToken(running.service.context.deviceSecret, randomUUID());
    const elsewhere = receiptToken('another secret of at least 32 characters', own.id);
    for (const wrong of [own.id, mixed, flipped, unknown, elsewhere, `${token}A`, token.slice(0, 22), 'x']) {
      const { status, text } = await open(wrong);
      expect([status, text]).toEqual([404, expect.stringContaining('There is no receipt at this address')]);
    }
  });
});

describe('a credit note', () => {
  test('is numbered for each refund that is accepted, once, and refers to the invoice', async () => {
    const order = await bought();
    const staff = worker(running, store);
    await staff.refund(order.id, { refund_attempt_id: randomUUID(), lines: [{ position: 1, quantity: 1 }] });
    const attempt = randomUUID();
    await Promise.all([order.refund(300, attempt), order.refund(300, attempt)]);
    await sendEventsAbout(running, order.atProvider()[1]?.id ?? '', 'refund.updated');
    const first = await creditNote(order.id, 1);
    expect(first.text).toMatch(
      /Credit note S1-\d+-C1 .* VAT number GB 123 4567 89 Number S1-\d+-C1 Date .* For VAT invoice S1-\d+ , \d+ \w+/,
    );
    expect(first.text).toContain('1 × Flat white 20% £3.50 Refunded £3.50 VAT included VAT rate Net VAT Gross 20% £2.92 £0.58 £3.50');
    const second = await creditNote(order.id, 2);
    expect(second.text).toContain('Part of the price £2.90 Tip £0.10 Refunded £3.00');
    expect(second.text).toMatch(/VAT included .* 0% £2\.90 £0\.00 £2\.90 The tip has no VAT\./);
    expect((await invoice(order.id)).text).toMatch(/Refunds Credit note S1-\d+-C1 , .* – £3\.50 Credit note S1-\d+-C2 , .* – £3\.00 $/);
    for (const number of [0, 3, '1.5', 'x', '01x']) expect((await creditNote(order.id, number)).status).toBe(404);
  });

  test('is void once its refund has failed, and the next refund has a number of its own', async () => {
    const order = await bought();
    const { body } = await order.refund(200);
    const before = (await creditNote(order.id, 1)).text;
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    await order.refund();
    const { text } = await creditNote(order.id, 1);
    expect(text).toMatch(/This credit note is void: the refund failed on \d+ \w+ \d{4}/);
    expect(text.replace(/This credit note is void.*?paid back\. /, '')).toBe(before);
    expect((await creditNote(order.id, 2)).text).toContain('Part of the price £6.40 Tip £0.60 Refunded £7.00');
    expect((await invoice(order.id)).text).toMatch(/-C1 , .* – £2\.00 \(void\) .*-C2 , .* – £7\.00 $/);
  });
});
