import { createHash, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Envelope, stampApproved, voucherMinted } from '@corner/contracts';
import type { Message } from '@corner/sandbox/messages';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openEmail } from '../adapters/email.ts';
import { cardEvents, orderEvents } from '../testing/events.ts';
import { type Guest, type Messaging, receiptOf, startMessaging } from '../testing/messaging.ts';
import { accountEvents, contactedStore } from '../testing/store-contacts.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

type Store = Parameters<Messaging['guest']>[1];

async function mailed(createEvent: (guest: Guest) => Envelope, store: Store = {}, language: 'en' | 'fr' = 'en'): Promise<Message> {
  const guest = await messaging.guest({ devices: [], language }, store);
  const event = createEvent(guest);
  await messaging.publish(event);
  messaging.advance({ seconds: 3 });
  await messaging.messagesOf(event);
  messaging.clock.advance({ seconds: -3 });
  const [mail] = messaging.received(guest);
  if (!mail) throw new Error('no mail arrived');
  return mail;
}

const wordsOf = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<h1.*<\/h1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .split(/[\s,:]+|--/)
    .filter(Boolean)
    .toSorted();
const wordsOfText = (text: string) =>
  text
    .split(/[\s,:]+|--/)
    .filter(Boolean)
    .toSorted();

const plain = (text: string | null) => (text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');

describe('a receipt', () => {
  const vat = [
    { rate_bps: 2000, net_pence: 525, vat_pence: 105, gross_pence: 630 },
    { rate_bps: null, net_pence: 261, vat_pence: 0, gross_pence: 261 },
  ];
  const receipt = receiptOf({
    currency: 'GBP',
    lines: [
      { name: 'Flat white', quantity: 2, unit_price_pence: 350, sum_pence: 700 },
      { name: 'Croissant', quantity: 1, unit_price_pence: 290, sum_pence: 290 },
    ],
    subtotal_pence: 990,
    discount_pence: 99,
    tip_pence: 50,
    total_pence: 941,
    vat,
  });
  const receiptMail = (store: Store = {}, language: 'en' | 'fr' = 'en', of = receipt) => {
    const orderId = randomUUID();
    messaging.receipts.set(orderId, of);
    return mailed((guest) => orderEvents(guest, orderId).paid(), store, language);
  };

  test('has lines, discount, tip, total, collection code and time', async () => {
    const { text } = await receiptMail();
    expect(plain(text)).toMatch(
      /2 × Flat white +£7\.00\n1 × Croissant +£2\.90\nSubtotal +£9\.90\nDiscount +-£0\.99\nTip +£0\.50\nTotal +£9\.41/,
    );
    expect(plain(text)).toMatch(/Order: S1-1001\nPaid: 1 June 2026 at 14:00\nCollection code: 4821\nCollect: 1 June 2026 at 14:30/);
    expect(text).not.toContain('VAT');
  });

  test('has the VAT of each rate when the store has a VAT number', async () => {
    const { text } = await receiptMail({ vat_number: 'GB123456789' });
    expect(plain(text)).toContain('VAT number: GB123456789');
    expect(plain(text)).toContain('VAT rate 20%, Net £5.25, VAT £1.05, Gross £6.30');
    expect(plain(text)).toContain('VAT rate none, Net £2.61, VAT £0.00, Gross £2.61');
  });

  test('has no VAT when no item has a rate', async () => {
    const { text } = await receiptMail({ vat_number: 'GB123456789' }, 'en', receiptOf());
    expect(text).not.toContain('VAT');
  });

  test('names each leg of a mixed order with its code and time', async () => {
    const legs = ['S1-1001-1', 'S1-1001-2'].map((order_number) => ({ order_number, collection_code: 'K7Q2', collect_at: null }));
    const { text } = await receiptMail({}, 'en', receiptOf({ collections: legs }));
    expect(text).toContain('Collection code (S1-1001-1): K7Q2\nCollection code (S1-1001-2): K7Q2');
  });

  test('is in the customer’s language, and says the same as text and as HTML', async () => {
    const mail = await receiptMail({ vat_number: 'FR12345678901' }, 'fr');
    expect(mail.title).toBe('Reçu de la commande S1-1001');
    expect(plain(mail.text)).toMatch(/Sous-total +9,90 £/);
    expect(mail.headers['content-language']).toBe('fr-FR');
    // In text the heads of the VAT table are repeated in each row.
    const withoutLinks = mail.text.replaceAll(/: http\S+/g, '');
    const [text, html] = [wordsOfText(withoutLinks), wordsOf(mail.html ?? '')].map((words) => [...new Set(words)]);
    expect(html).toEqual(text);
  });

  test('waits for orders when the RPC gets no reply, and is sent with its lines then', async () => {
    const [guest, orderId] = [await messaging.guest({ devices: [] }), randomUUID()];
    messaging.receipts.set(orderId, 'lost');
    const paid = orderEvents(guest, orderId).paid();
    await messaging.publish(paid);
    expect(await messaging.messagesOf(paid, ({ attempts }) => attempts === 1)).toEqual([
      expect.objectContaining({ state: 'pending', reason: 'orders unavailable' }),
    ]);
    expect(messaging.received(guest)).toEqual([]);
    messaging.receipts.set(orderId, receipt);
    messaging.advance({ seconds: 30 });
    await messaging.messagesOf(paid);
    expect(messaging.received(guest)).toEqual([expect.objectContaining({ text: expect.stringContaining('2 × Flat white') })]);
  });

  test('is read by one call with the receipts of other mails that are due at once, and one statement counts the mails', async () => {
    const orderIds = [randomUUID(), randomUUID(), randomUUID()];
    const events = await Promise.all(orderIds.map(async (id) => orderEvents(await messaging.guest({ devices: [] }), id).paid()));
    for (const id of orderIds) messaging.receipts.set(id, 'lost');
    await messaging.publish(...events);
    for (const event of events) await messaging.messagesOf(event, ({ attempts }) => attempts === 1);
    for (const id of orderIds) messaging.receipts.set(id, receipt);
    const before = messaging.receiptCalls.length;
    messaging.running.backgroundStatements.length = 0;
    messaging.advance({ seconds: 30 });
    for (const event of events) await messaging.messagesOf(event);
    expect(messaging.running.backgroundStatements.filter((text) => text.includes('into mail_count'))).toHaveLength(1);
    expect(messaging.receiptCalls.slice(before).map((ids) => ids.toSorted())).toEqual([orderIds.toSorted()]);
  });
});

describe('the headers of a mail', () => {
  const ready = (guest: Guest) => orderEvents(guest).moved('ready');

  test('name the store as the sender at the platform’s address, and its first contact with an address for replies', async () => {
    const { headers, from } = await mailed(ready, { contacts: [{ phone: '+447700900123' }, { email: 'bea@bakery.example' }] });
    expect(from).toBe('no-reply@corner.example.com');
    expect(headers.from).toMatch(/^=\?UTF-8\?Q\?Bea=E2=80=99s_Bakery\?= <no-reply@corner\.example\.com>$/);
    expect(headers['reply-to']).toBe('bea@bakery.example');
    expect(headers['auto-submitted']).toBe('auto-generated');
    expect(headers['content-type']).toMatch(/^multipart\/alternative/);
  });

  test('name the platform in a mail to the store’s own people, who cannot stop it by a link', async () => {
    const { guest, address } = await contactedStore(messaging);
    const refused = accountEvents(guest).refused();
    await messaging.publish(refused);
    await messaging.messagesOf(refused);
    const mail = messaging.sandbox.inbox.to(address.email).at(-1);
    expect(mail?.headers.from).toBe('Corner <no-reply@corner.example.com>');
    expect([mail?.headers['reply-to'], mail?.headers['list-unsubscribe']]).toEqual([undefined, undefined]);
    expect(mail?.text).toContain('because you are a contact of Bea’s Bakery');
  });

  test('have no Reply-To for a store without an address', async () => {
    expect((await mailed(ready)).headers['reply-to']).toBeUndefined();
  });

  test.each([
    ['an order that is ready', ready, false],
    ['a receipt', (guest: Guest) => orderEvents(guest).paid(), false],
    ['a refund', (guest: Guest) => orderEvents(guest).refunded(), false],
    ['a stamp', (guest: Guest) => cardEvents(guest).stamp(stampApproved), true],
    ['a voucher', (guest: Guest) => cardEvents(guest).voucher(voucherMinted), true],
  ] as const)('offer one click to stop mail about %s: %#', async (_, createEvent, stoppable) => {
    const { headers, text, html } = await mailed(createEvent);
    const link = /^<(http:\/\/gateway\.corner\.example\.com\/unsubscribe\/[\w-]+\.[\w-]+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1];
    expect(headers['list-unsubscribe-post']).toBe(stoppable ? 'List-Unsubscribe=One-Click' : undefined);
    expect(link !== undefined).toBe(stoppable);
    if (link) for (const body of [text, html]) expect(body).toContain(link);
    else expect(`${text}${html}`).not.toMatch(/unsubscribe\/(?!mail\/)/);
    expect(text).toMatch(/You get this e-mail because/);
  });
});

test('HTML loads nothing, runs nothing and has no colours of its own', async () => {
  const { html } = await mailed((guest) => orderEvents(guest).paid());
  expect(html).not.toMatch(/<(script|img|link|iframe|style|form)|src=|url\(|[^-]color:|background/i);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
});

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "O'Neil & Söhne <b>",
  'Bea\r\nBcc: victim@example.com',
  'Bea\nSubject: Win\n\n<h1>Body</h1>',
  'Bea\u2028X-Evil: 1\u0001\u001b[31m',
  'a@b.example, "x" <c@d.example>',
  '=?UTF-8?Q?=0D=0ABcc:_v@example.com?=',
  `${'long '.repeat(20)}\r\n\tX-Folded: 1`,
];

test.each(hostile)('what a person typed is text and nothing else: %j', async (typed) => {
  const orderId = randomUUID();
  messaging.receipts.set(
    orderId,
    receiptOf({ lines: [{ name: typed, quantity: 1, unit_price_pence: 1, sum_pence: 1 }], table_number: typed }),
  );
  const before = messaging.sandbox.inbox.all().length;
  const mails = [
    await mailed((guest) => orderEvents(guest, orderId).paid(), { name: typed, vat_number: typed.slice(0, 32) }),
    await mailed((guest) => orderEvents(guest).late('2026-06-01T13:30:00Z', 1, typed), { name: typed }),
    await mailed((guest) => cardEvents(guest).voucher(voucherMinted, 1, randomUUID(), typed), { name: typed }),
  ];
  expect(messaging.sandbox.inbox.all().length - before).toBe(mails.length);
  for (const { headers, html, from } of mails) {
    expect(from).toBe('no-reply@corner.example.com');
    expect(Object.keys(headers).filter((name) => /bcc|^x-/.test(name))).toEqual([]);
    expect(headers.to).toMatch(/^[\w-]+@example\.com$/);
    expect(html).not.toMatch(/<(script|img|b)\b|<h1>Body/i);
    expect(html?.match(/<h1/g)).toHaveLength(1);
  }
});

describe('a mail as it is sent', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const dkim = { domain: 'example.com', selector: 'corner', key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  const mail = {
    subject: 'Prêt à emporter',
    text: 'Ça y est.\n',
    html: '<p>Ça y est.</p>',
    language: 'fr-FR',
    senderName: 'Bea’s Bakery',
    replyTo: 'bea@bakery.example',
    unsubscribeUrl: 'https://shop.example/unsubscribe/token',
  };

  async function rawMail(settings: { readonly dkim: typeof dkim | null }): Promise<string> {
    let raw = '';
    const server = createServer((socket) => {
      let isData = false;
      socket.setEncoding('latin1').write('220 test\r\n');
      socket.on('data', (chunk: string) => {
        if (isData) {
          raw += chunk;
          if (!raw.endsWith('\r\n.\r\n')) return;
          isData = false;
          socket.write('250 ok\r\n');
        } else if (/^DATA/i.test(chunk)) {
          isData = true;
          socket.write('354 go\r\n');
        } else socket.write('250 ok\r\n');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const channel = openEmail({
      url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
      from: 'Corner <no@example.com>',
      ...settings,
    });
    expect(await channel.deliver({ id: 'id', to: 'ana@example.com', mail })).toEqual({ status: 'delivered' });
    await channel.close();
    server.close();
    return raw.slice(0, -3).replaceAll('\r\n..', '\r\n.');
  }

  /** Relaxed canonicalisation of a header (RFC 6376, 3.4.2). */
  const relaxed = (header: string) =>
    header
      .replace(/^([^:]+):\s*/, (_, name: string) => `${name.toLowerCase().trim()}:`)
      .replaceAll(/\s+/g, ' ')
      .trim();

  test('a mail is signed, with the headers that stop messages, and the signature verifies', async () => {
    const raw = await rawMail({ dkim });
    const split = raw.indexOf('\r\n\r\n');
    const headers = raw.slice(0, split).split(/\r\n(?![ \t])/);
    const signature = headers.find((header) => /^DKIM-Signature:/i.test(header)) ?? '';
    const tag = (name: string) => new RegExp(`[;:\\s]${name}=([^;]*)`).exec(signature)?.[1]?.replaceAll(/\s/g, '') ?? '';
    expect([tag('d'), tag('s'), tag('c')]).toEqual(['example.com', 'corner', 'relaxed/relaxed']);
    const signed = tag('h').toLowerCase().split(':');
    expect(signed).toEqual(expect.arrayContaining(['from', 'reply-to', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']));

    const body = `${raw
      .slice(split + 4)
      .replaceAll(/[ \t]+\r\n/g, '\r\n')
      .replaceAll(/[ \t]+/g, ' ')
      .replace(/(\r\n)*$/, '')}\r\n`;
    expect(createHash('sha256').update(body, 'latin1').digest('base64')).toBe(tag('bh'));
    const covered = signed.map((name) => headers.find((header) => header.toLowerCase().startsWith(`${name}:`)) ?? '');
    const unsigned = relaxed(signature).replace(/([;\s]b=).*$/, '$1');
    const input = [...covered.map(relaxed), unsigned].join('\r\n');
    expect(createVerify('RSA-SHA256').update(input, 'latin1').verify(publicKey, tag('b'), 'base64')).toBe(true);
  });

  test('without a key a mail is not signed', async () => {
    expect(await rawMail({ dkim: null })).not.toMatch(/DKIM-Signature/i);
  });
});
