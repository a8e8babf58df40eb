import { mailEn } from './mail-en.ts';
import type { Format, Texts } from './text.ts';

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
    'order.cancelled': ({ order_number }, { store }) => ({
      title: `Order ${order_number} was cancelled`,
      body: `${store} had to cancel your order. We’ll let you know separately about any refund.`,
    }),
    'order.refunded': ({ order_number, amount_pence, cumulative_pence, full }, { store, money }) => ({
      title: `Refund for order ${order_number}`,
      body:
        `${store} refunded ${money(amount_pence)}. ` +
        (full ? 'Everything you paid is on its way back to you.' : `That makes ${money(cumulative_pence)} in total for this order.`),
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
    'voucher.expired': ({ reward_title, code_tail }, { store }) => ({
      title: 'Your voucher has expired',
      body: `${reward(reward_title)} at ${store} can no longer be used. The voucher ended in ${code_tail}.`,
    }),
    'queue.called': ({ hold_until }, { store, time }) => ({
      title: 'It is your turn',
      body: `${store} is holding your place until ${time(hold_until)}.`,
    }),
    'queue.no_show': (_data, { store }) => ({
      title: 'You missed your turn',
      body: `${store} called you and has now given your place to someone else. You can join the queue again.`,
    }),
  },
};

const stamps = { one: 'stamp', other: 'stamps' };
const card = ({ stamp_count, goal }: { readonly stamp_count: number; readonly goal: number }, { plural }: Format) =>
  `Your card has ${stamp_count} of ${goal} ${plural(goal, stamps)}.`;
const reward = (title: string | null) => title ?? 'Your reward';
const codeAtCounter = (code: string | null) => (code ? ` Show code ${code} at the counter.` : '');
