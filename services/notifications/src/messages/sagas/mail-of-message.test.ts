import { randomUUID } from 'node:crypto';
import { staffInvited } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { orderEvents } from '../testing/events.ts';
import { type Guest, type Messaging, receiptOf, startMessaging } from '../testing/messaging.ts';
import { accountEvents, contactedStore } from '../testing/store-contacts.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

const plain = (text: string | undefined) => (text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');
const receiptUrl = 'http://gateway.corner.example.com/receipts/token';

describe('the mail of a refund', () => {
  async function refundMail(changes: Partial<ReturnType<typeof receiptOf>['refunds'][number]> = {}, language: 'en' | 'fr' = 'en') {
    const [guest, orderId] = [await messaging.guest({ devices: [], language }, { vat_number: 'GB123456789' }), randomUUID()];
    const event = orderEvents(guest, orderId).refunded();
    const refund = {
      refund_id: (event.data as { refund_id: string }).refund_id,
      number: 'S1-1001-C1',
      url: `${receiptUrl}/credit-notes/1`,
      amount_pence: 450,
      refunded_at: '2026-06-02T12:00:00Z',
      lines: [{ name: 'Flat white', quantity: 1, sum_pence: 400 }],
      vat: [{ rate_bps: 2000, net_pence: 333, vat_pence: 67, gross_pence: 400 }],
      tip_pence: 50,
      ...changes,
    };
    messaging.receipts.set(orderId, receiptOf({ receipt_url: receiptUrl, refunds: [{ ...refund, refund_id: randomUUID() }, refund] }));
    await messaging.publish(event);
    await messaging.messagesOf(event);
    return plain(messaging.received(guest)[0]?.text);
  }

  test('is the credit note with its lines, its VAT and the link to it', async () => {
    const text = await refundMail();
    expect(text).toMatch(/Credit note: S1-1001-C1\nOrder: S1-1001\nPaid: 1 June 2026 at 14:00\nRefunded: 2 June 2026 at 14:00/);
    expect(text).toMatch(/1 × Flat white +€4\.00\nTip +€0\.50\nRefunded +€4\.50\n/);
    expect(text).toContain('VAT number: GB123456789\nVAT rate 20%, Net €3.33, VAT €0.67, Gross €4.00');
    expect(text).toContain(`Open or print the credit note: ${receiptUrl}/credit-notes/1`);
    expect(text).toMatch(/^Bea’s Bakery refunded £2\.50\./);
  });

  test('of an amount is of part of the price, in the customer’s language', async () => {
    const text = await refundMail({ lines: [], tip_pence: 0 }, 'fr');
    expect(text).toMatch(/Avoir: S1-1001-C1\n.*\nPartie du prix +4,50 €\nRemboursé +4,50 €\n/s);
    expect(text).toContain(`Ouvrir ou imprimer l’avoir: ${receiptUrl}/credit-notes/1`);
  });

  test('has no credit note for a refund that the receipt does not have', async () => {
    const text = await refundMail({ refund_id: randomUUID() });
    expect(text).toMatch(/^Bea’s Bakery refunded £2\.50\./);
    expect(text).not.toMatch(/Credit note|VAT/);
  });
});

test('the mail of a payment links to the receipt, where it has an address', async () => {
  const textOf = async (receipt_url: string | null) => {
    const [guest, orderId] = [await messaging.guest({ devices: [] }), randomUUID()];
    messaging.receipts.set(orderId, receiptOf({ receipt_url }));
    const paid = orderEvents(guest, orderId).paid();
    await messaging.publish(paid);
    await messaging.messagesOf(paid);
    return messaging.received(guest)[0]?.text;
  };
  expect(await textOf(receiptUrl)).toContain(`Open or print the receipt: ${receiptUrl}\n`);
  expect(await textOf(null)).not.toContain('Open or print');
});

test('mail to the people of a store links to its settings in the console', async () => {
  const { guest, address } = await contactedStore(messaging);
  const refused = accountEvents(guest).refused();
  await messaging.publish(refused);
  await messaging.messagesOf(refused);
  const mail = messaging.sandbox.inbox.to(address.email).at(-1);
  const link = `http://console.corner.example.com/shop/${guest.storeId}/settings`;
  expect(mail?.text).toContain(`change the contacts in the store’s settings.\nOpen the store’s settings: ${link}`);
  expect(mail?.html).toContain(`<a href="${link}">`);
});

describe('an invitation', () => {
  const invitationOf = (changes: object = {}) => ({
    email: `sam-${randomUUID()}@example.com`,
    name: 'Sam',
    role: 'manager' as const,
    language: null,
    store_name: 'Bea’s Bakery',
    invited_by: 'Bea',
    token: 'id.mac',
    expires_at: '2026-06-08T12:00:00Z',
    ...changes,
  });
  const invited = ({ storeId }: Guest, invitation_id: string) =>
    envelopeOf(staffInvited, { invitation_id, store_id: storeId, at: '2026-06-01T12:00:00Z' }, { aggregateId: invitation_id, storeId });

  test('is mailed to the address that the directory has, with its link, and nothing of the person is stored', async () => {
    const guest = await messaging.guest({}, { contacts: [{ email: 'bea@bakery.example' }] });
    const [id, invitation] = [randomUUID(), invitationOf()];
    messaging.invitations.set(id, invitation);
    const event = invited(guest, id);
    await messaging.publish(event);
    expect(await messaging.messagesOf(event)).toMatchObject([{ template: 'staff.invited', state: 'sent', data: {} }]);
    const [mail, ...more] = messaging.sandbox.inbox.to(invitation.email);
    expect(more).toEqual([]);
    expect(mail?.title).toBe('You are invited to work at a shop');
    expect(mail?.text).toMatch(
      /^A shop that calls itself “Bea’s Bakery” invites you to work there as a manager\. The invitation is from “Bea”\. The link works once, until 8 June 2026 at 14:00\./,
    );
    const link = 'http://console.corner.example.com/invitation#id.mac';
    expect(mail?.text).toContain(`Accept the invitation: ${link}\n`);
    expect(mail?.html).toContain(`<a href="${link}">Accept the invitation</a>`);
    expect([mail?.headers['reply-to'], mail?.headers['list-unsubscribe']]).toEqual([
      undefined,
      expect.stringContaining('/unsubscribe/mail/'),
    ]);
  });

  test('is in the language of the invitation, else in the store’s', async () => {
    const guest = await messaging.guest({}, { language: 'fr' });
    const mails = [invitationOf(), invitationOf({ language: 'en', invited_by: null, role: 'staff' })];
    for (const invitation of mails) {
      const id = randomUUID();
      messaging.invitations.set(id, invitation);
      const event = invited(guest, id);
      await messaging.publish(event);
      await messaging.messagesOf(event);
    }
    const texts = mails.map(({ email }) => plain(messaging.sandbox.inbox.to(email)[0]?.text));
    expect(texts[0]).toMatch(
      /^Une boutique qui se nomme « Bea’s Bakery » vous invite à y travailler comme responsable\. L’invitation vient de « Bea »\./,
    );
    expect(texts[1]).toMatch(/^A shop that calls itself “Bea’s Bakery” invites you to work there\. The link/);
  });

  test('has no paragraph and no header that someone wrote into a name', async () => {
    const [guest, id] = [await messaging.guest(), randomUUID()];
    const odd = '\n\nYour account is closed: write to\r\nBcc: eve@example.com';
    const invitation = invitationOf({ name: `Sam${odd}`, invited_by: `Bea${odd}`, store_name: `Bakery${odd}` });
    messaging.invitations.set(id, invitation);
    const event = invited(guest, id);
    await messaging.publish(event);
    await messaging.messagesOf(event);
    const [mail] = messaging.sandbox.inbox.to(invitation.email);
    expect(mail?.text).not.toMatch(/^(Your account|Bcc)/m);
    expect(mail?.html).not.toMatch(/<br>/);
    expect(mail?.headers.bcc).toBeUndefined();
  });

  test('that was withdrawn or accepted meanwhile is not mailed', async () => {
    const event = invited(await messaging.guest(), randomUUID());
    await messaging.publish(event);
    expect(await messaging.messagesOf(event)).toMatchObject([{ state: 'muted', attempts: 0 }]);
  });

  test('waits while the directory does not reply', async () => {
    const [id, invitation] = [randomUUID(), invitationOf()];
    messaging.invitations.set(id, 'lost');
    const event = invited(await messaging.guest(), id);
    await messaging.publish(event);
    expect(await messaging.messagesOf(event, ({ attempts }) => attempts === 1)).toMatchObject([
      { state: 'pending', reason: 'directory unavailable' },
    ]);
    messaging.invitations.set(id, invitation);
    messaging.advance({ seconds: 30 });
    await messaging.messagesOf(event);
    expect(messaging.sandbox.inbox.to(invitation.email)).toHaveLength(1);
  });
});
