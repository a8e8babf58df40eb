import type { MailTexts } from './mail-texts.ts';

export const mailEn: MailTexts = {
  reasons: {
    order: (store) => `You get this e-mail because you ordered at ${store}. It is about your order, so it cannot be switched off.`,
    stamp: (store) => `You get this e-mail because you collect stamps at ${store}.`,
    multi_stamp: (store) => `You get this e-mail because you collect stamps at ${store}.`,
    voucher: (store) => `You get this e-mail because you have a voucher of ${store}.`,
    queue: (store) => `You get this e-mail because you joined the queue at ${store}.`,
    store: (store) =>
      `You get this e-mail because you are a contact of ${store}. To change or remove your address, change the contacts in the store’s settings.`,
  },
  topics: {
    messagesMuted: 'messages',
    classReminders: 'reminders of classes',
    classEventsEnabled: 'messages about classes',
    voucherEventsEnabled: 'messages about vouchers',
    stampEventsEnabled: 'messages about stamps',
    membershipEventsEnabled: 'messages about your membership',
    penaltyEventsEnabled: 'messages about missed turns',
    marketingEnabled: 'offers and news',
  },
  stop: (topic, store) => `Stop ${topic} from ${store}`,
  receipt: {
    order: 'Order',
    paidAt: 'Paid',
    table: 'Table',
    code: 'Collection code',
    collectAt: 'Collect',
    subtotal: 'Subtotal',
    discount: 'Discount',
    tip: 'Tip',
    total: 'Total',
    vatNumber: 'VAT number',
    rate: 'VAT rate',
    net: 'Net',
    vat: 'VAT',
    gross: 'Gross',
    noRate: 'none',
  },
  unsubscribe: {
    ask: (topic, store) => `Stop ${topic} from ${store}?`,
    others: 'You will still get what you need to know about your own orders and your turn in the queue.',
    confirm: 'Stop these messages',
    done: (topic, store) => `Done. You will not get ${topic} from ${store} any more. You can switch them on again in the app.`,
    invalid: 'This link is not valid. Use the link of a newer e-mail, or your preferences in the app.',
  },
};
