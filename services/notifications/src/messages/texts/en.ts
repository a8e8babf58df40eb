import type { Format, MailTexts, Texts } from './text.ts';

const mailEn: MailTexts = {
  reasons: {
    order: (store) => `You get this e-mail because you ordered at ${store}. It is about your order, so it cannot be switched off.`,
    stamp: (store) => `You get this e-mail because you collect stamps at ${store}.`,
    multi_stamp: (store) => `You get this e-mail because you collect stamps at ${store}.`,
    voucher: (store) => `You get this e-mail because you have a voucher of ${store}.`,
    membership: (store) => `You get this e-mail because you are, or were, a member of ${store}.`,
    message: (store) => `You get this e-mail because ${store} wrote to you.`,
    campaign: (store) => `You get this e-mail because you said yes to news of ${store}.`,
    booking: (store) => `You get this e-mail because you booked a time at ${store}.`,
    class: (store) => `You get this e-mail because you booked a class at ${store}.`,
    queue: (store) => `You get this e-mail because you joined the queue at ${store}.`,
    staff: (store) =>
      `You get this e-mail because “${store}” invited this address. If you do not know why, do nothing: without the link no one joins.`,
    store: (store) =>
      `You get this e-mail because you are a contact of ${store}. To change or remove your address, change the contacts in the store’s settings.`,
  },
  topics: {
    messagesMuted: 'messages',
    classReminders: 'reminders of bookings and classes',
    classEventsEnabled: 'messages about classes',
    voucherEventsEnabled: 'messages about vouchers',
    stampEventsEnabled: 'messages about stamps',
    membershipEventsEnabled: 'messages about your membership',
    penaltyEventsEnabled: 'messages about missed turns and bookings',
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
    creditNote: 'Credit note',
    partOfPrice: 'Part of the price',
    refunded: 'Refunded',
    openReceipt: 'Open or print the receipt',
    openCreditNote: 'Open or print the credit note',
  },
  settings: 'Open the store’s settings',
  accept: 'Accept the invitation',
  unsubscribe: {
    ask: (topic, store) => `Stop ${topic} from ${store}?`,
    others: 'You will still get what you need to know about your own orders and your turn in the queue.',
    confirm: 'Stop these messages',
    done: (topic, store) => `Done. You will not get ${topic} from ${store} any more. You can switch them on again in the app.`,
    invalid: 'This link is not valid. Use the link of a newer e-mail, or your preferences in the app.',
  },
  address: {
    firstMail: 'Someone gave us this address without signing in. You get no further e-mail about it until you say yes.',
    keep: 'Yes, keep me posted here',
    stop: 'This was not me',
    askKeep: 'Shall we keep you posted at this address?',
    kept: 'Done. We’ll keep you posted at this address.',
    askStop: 'Did someone else give us your address?',
    stops:
      'Then you get no e-mail from us any more, except what you ask for by signing in with this address. If you are a contact of a store, its e-mail to you ends as well.',
    confirmStop: 'This was not me: stop e-mail',
    stopped: 'Done. You will get no e-mail here that you did not ask for by signing in with this address.',
  },
};

export const en: Texts = {
  locale: 'en-GB',
  unknownStore: 'your store',
  mail: mailEn,
  texts: {
    'order.paid': ({ order_number, total_pence, currency }, { store, money }) => ({
      title: `Receipt for order ${order_number}`,
      body: `${store} received your payment of ${money(total_pence, currency)} for order ${order_number}. Thank you!`,
    }),
    'order.accepted': ({ order_number, collection_code }, { store }) => ({
      title: `Order ${order_number} is accepted`,
      body: `${store} has accepted your order.${codeAtCounter(collection_code)}`,
    }),
    'order.ready': ({ order_number, collection_code }, { store }) => ({
      title: `Order ${order_number} is ready`,
      body: `Your order at ${store} is ready.${codeAtCounter(collection_code)}`,
    }),
    'order.not_ready': ({ order_number }, { store }) => ({
      title: `Order ${order_number} is not ready yet`,
      body: `Sorry, our last message came too early: ${store} is still preparing your order. We’ll let you know when it is ready.`,
    }),
    'order.cancelled': ({ order_number }, { store }) => ({
      title: `Order ${order_number} was cancelled`,
      body: `${store} had to cancel your order. We’ll let you know separately about any refund.`,
    }),
    'order.not_accepted': ({ order_number }, { store }) => ({
      title: `Order ${order_number} was cancelled`,
      body: `${store} did not accept your order in time, so we cancelled it. What you paid for it goes back to you.`,
    }),
    'order.refunded': ({ order_number, amount_pence, cumulative_pence, full, currency }, { store, money }) => ({
      title: `Refund for order ${order_number}`,
      body:
        `${store} refunded ${money(amount_pence, currency)}. ` +
        (full
          ? 'Everything you paid is on its way back to you.'
          : `That makes ${money(cumulative_pence, currency)} in total for this order.`),
    }),
    'order.refund_failed': ({ order_number, amount_pence, currency }, { store, money }) => ({
      title: `Your refund for order ${order_number} did not arrive`,
      body: `Your bank did not accept the ${money(amount_pence, currency)} that ${store} sent back. ${store} knows about it, and will send it again or pay you another way. You need not do anything.`,
    }),
    'order.running_late': ({ order_number, new_eta, note }, { store, time }) => ({
      title: `Order ${order_number} is running late`,
      body: `Sorry for the wait. ${store} now expects it at ${time(new_eta)}.${note ? ` “${note}”` : ''}`,
    }),
    'order.slot_moved': ({ order_number, collection_at }, { store, time }) => ({
      title: `You can collect order ${order_number} earlier`,
      body: `${store} will have it ready for you at ${time(collection_at)}.`,
    }),
    'stamp.pending': (_data, { store }) => ({ title: 'Your stamp is being checked', body: `${store} will confirm it soon.` }),
    'stamp.approved': (data, format) => ({
      title: 'You have a new stamp',
      body: `${data.completed ? 'Your card is full, which earns you a reward. ' : ''}${card(data, format)} Thanks for visiting ${format.store}!`,
    }),
    'stamp.rejected': (data, format) => ({
      title: 'A stamp was not confirmed',
      body: `${format.store} did not confirm it. ${card(data, format)}`,
    }),
    'stamp.undone': (data, format) => ({
      title: 'A stamp was removed',
      body: `${format.store} corrected your card. ${card(data, format)}`,
    }),
    'stamp.reversed': (data, format) => ({
      title: 'A stamp was removed',
      body: `Your order at ${format.store} was refunded, so its stamp no longer counts. ${card(data, format)}`,
    }),
    'multi_stamp.confirmed': (data, format) => ({
      title: `You have ${data.stamps} more ${format.plural(data.stamps, stamps)}`,
      body: `${card(data, format)} Thanks for visiting ${format.store}!`,
    }),
    'voucher.minted': ({ reward_title, code_tail }, { store }) => ({
      title: 'You earned a reward',
      body: `${reward(reward_title)} is waiting for you at ${store}. Your voucher ends in ${code_tail}.`,
    }),
    'voucher.redeemed': ({ reward_title, code_tail }, { store }) => ({
      title: 'Your voucher was used',
      body: `Enjoy! ${reward(reward_title)} was redeemed at ${store}. The voucher ended in ${code_tail}.`,
    }),
    'voucher.restored': ({ reward_title, code_tail }, { store }) => ({
      title: 'Your voucher is valid again',
      body: `${reward(reward_title)} is waiting for you at ${store} again. Your voucher ends in ${code_tail}.`,
    }),
    'voucher.voided': ({ reward_title, code_tail }, { store }) => ({
      title: 'A voucher is no longer valid',
      body: `${reward(reward_title)} at ${store} was withdrawn. The voucher ended in ${code_tail}.`,
    }),
    'voucher.expiring': ({ reward_title, code_tail, expires_at }, { store, time }) => ({
      title: 'Your voucher expires soon',
      body: `${reward(reward_title)} at ${store} can be used until ${time(expires_at)}. Your voucher ends in ${code_tail}.`,
    }),
    'voucher.expired': ({ reward_title, code_tail }, { store }) => ({
      title: 'Your voucher has expired',
      body: `${reward(reward_title)} at ${store} can no longer be used. The voucher ended in ${code_tail}.`,
    }),
    'membership.begun': ({ plan_name, ends_at }, { store, dateTime }) => ({
      title: 'Your membership has begun',
      body: `${plan(plan_name)} at ${store}${ends_at ? `, paid until ${dateTime(ends_at)}` : ''}.`,
    }),
    'membership.renewed': ({ plan_name, ends_at }, { store, dateTime }) => ({
      title: 'Your membership goes on',
      body: `${plan(plan_name)} at ${store}${ends_at ? `, paid until ${dateTime(ends_at)}` : ''}.`,
    }),
    'membership.ending': ({ plan_name, ends_at }, { store, dateTime }) => ({
      title: 'Your membership ends soon',
      body: `${plan(plan_name)} at ${store} is paid${ends_at ? ` until ${dateTime(ends_at)}` : ''}.`,
    }),
    'membership.ended': ({ plan_name }, { store }) => ({
      title: 'Your membership has ended',
      body: `${plan(plan_name)} at ${store}. Thanks for having been a member!`,
    }),
    'queue.called': ({ hold_until }, { store, time }) => ({
      title: 'It is your turn',
      body: `${store} is holding your place until ${time(hold_until)}.`,
    }),
    'queue.recalled': (_data, { store }) => ({
      title: 'Not your turn yet',
      body: `${store} took its call back. You keep your place and will be called again.`,
    }),
    'queue.no_show': (_data, { store }) => ({
      title: 'You missed your turn',
      body: `${store} called you and has now given your place to someone else. You can join the queue again.`,
    }),
    'queue.closed': (_data, { store }) => ({
      title: 'The queue has closed',
      body: `${store} could not take you today and has closed its queue. Sorry! You can join again when it opens.`,
    }),
    'booking.requested': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Your booking waits for the store',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}. You get a message once it is confirmed.`,
    }),
    'booking.made': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'You have a booking',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}.`,
    }),
    'booking.confirmed': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Your booking is confirmed',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}.`,
    }),
    'booking.moved': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Your booking has another time',
      body: `${booked(service_name)} at ${store} is now ${dateTime(starts_at)}.`,
    }),
    'booking.cancelled': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Your booking was cancelled',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}, will not take place.`,
    }),
    'booking.reminder': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Your booking is soon',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}.`,
    }),
    'booking.no_show': ({ service_name, starts_at, left }, { store, dateTime, plural }) => ({
      title: 'You missed your booking',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}.${missesLeft(left, plural)}`,
    }),
    'class.moved': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Your class has another time',
      body: `${booked(service_name)} at ${store} is now ${dateTime(starts_at)}. You keep your place.`,
    }),
    'class.cancelled': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Your class was cancelled',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}, will not take place.`,
    }),
    'class.waiting': ({ service_name, starts_at, place }, { store, dateTime }) => ({
      title: 'You are on the waiting list',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}. You are number ${place}. You get a message once a place is free.`,
    }),
    'class.offered': ({ service_name, starts_at, offer_until }, { store, dateTime, time }) => ({
      title: `A place is free until ${time(offer_until)}`,
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}. Accept it until then, or it goes to the next one.`,
    }),
    'class.lapsed': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'You are no longer on the waiting list',
      body: `${booked(service_name)} at ${store}, ${dateTime(starts_at)}. You can join the list again.`,
    }),
    'message.written': ({ text }, { store }) => ({ title: store, body: text }),
    'campaign.message': ({ title, body }, { store }) => ({ title: `${store}: ${title}`, body }),
    'staff.invited': ({ role, invited_by, expires_at }, { store, dateTime }) => ({
      title: 'You are invited to work at a shop',
      body: `A shop that calls itself “${store}” invites you to work there${asRole[role]}.${invited_by ? ` The invitation is from “${invited_by}”.` : ''} The link works once, until ${dateTime(expires_at)}.`,
    }),
    'store.stamps_waiting': ({ stamps: count }, { store, plural }) => ({
      title: `${count} ${plural(count, { one: 'stamp waits', other: 'stamps wait' })} for approval`,
      body: `Customers of ${store} collected ${plural(count, { one: 'a stamp', other: 'stamps' })} that you have not approved or rejected yet.`,
    }),
    'store.stamps_reviewed': ({ approved, rejected }, { store }) => ({
      title: 'Stamps were reviewed',
      body: `At ${store}, ${approved} approved and ${rejected} rejected.`,
    }),
    'store.refund_failed': ({ order_number, amount_pence, currency, reason }, { money }) => ({
      title: `A refund for order ${order_number} failed`,
      body: `The bank did not accept ${money(amount_pence, currency)}${because(reason)}. The customer does not have the money: refund the order again, or pay it another way.`,
    }),
    'store.dispute_opened': ({ order_number, amount_pence, currency, reason, evidence_due_by }, { money, time }) => ({
      title: `Order ${order_number} is disputed`,
      body: `The customer’s bank disputes the payment of ${money(amount_pence, currency)}${because(reason)}. ${evidence_due_by ? `Evidence is accepted until ${time(evidence_due_by)}.` : 'Send evidence as soon as you can.'} The order cannot be refunded meanwhile.`,
    }),
    'store.dispute_won': ({ order_number, amount_pence, currency }, { money }) => ({
      title: `You won the dispute of order ${order_number}`,
      body: `The ${money(amount_pence, currency)} stay yours.`,
    }),
    'store.dispute_lost': ({ order_number, amount_pence, currency }, { money }) => ({
      title: `You lost the dispute of order ${order_number}`,
      body: `The bank paid ${money(amount_pence, currency)} back to the customer. The order’s stamps and vouchers were taken back.`,
    }),
    'store.account_restricted': ({ reasons }, { store }) => ({
      title: `${store} cannot take orders`,
      body: `The payment provider restricted your account${listed(reasons)}. Until it is settled, new orders are refused.`,
    }),
    'store.account_restored': (_data, { store }) => ({
      title: `${store} takes orders again`,
      body: 'The payment provider lifted the restriction of your account.',
    }),
    'store.campaign_test': ({ title, body }, { store }) => ({ title: `Test, ${store}: ${title}`, body }),
    'store.orders_refused': ({ refused, since, reasons }, { store, time, plural }) => ({
      title: `${store} is losing orders`,
      body: `${refused} ${plural(refused, { one: 'order was', other: 'orders were' })} refused since ${time(since)}, because the payment provider restricted your account${listed(reasons)}.`,
    }),
  },
};

const plan = (name: string | null) => name ?? 'Your membership';
const booked = (service: string | null) => service ?? 'Your booking';
const missesLeft = (left: number | null, plural: Format['plural']) => {
  if (left === null) return '';
  if (left === 0) return ' Your next bookings wait until the store confirms them.';
  return ` After ${left} more ${plural(left, { one: 'time', other: 'times' })} your bookings wait until the store confirms them.`;
};
const asRole = { staff: '', manager: ' as a manager', owner: ' as an owner' };
const stamps = { one: 'stamp', other: 'stamps' };
const card = ({ stamp_count, goal }: { readonly stamp_count: number; readonly goal: number }, { plural }: Format) =>
  `Your card has ${stamp_count} of ${goal} ${plural(goal, stamps)}.`;
const reward = (title: string | null) => title ?? 'Your reward';
const codeAtCounter = (code: string | null) => (code ? ` Show code ${code} at the counter.` : '');
const because = (reason: string | null) => (reason ? ` (${reason.replaceAll('_', ' ')})` : '');
const listed = (reasons: readonly string[]) => (reasons.length > 0 ? `: ${reasons.join(', ')}` : '');
