import type { Texts } from './text.ts';

const stamps = (count: number) => `${count} stamp${count === 1 ? '' : 's'}`;
const card = ({ stamp_count, goal }: { readonly stamp_count: number; readonly goal: number }) => `Your card has ${stamp_count} of ${goal}.`;
const reward = (title: string | null) => title ?? 'Your reward';
const atCounter = (code: string | null) => (code ? ` Show code ${code} at the counter.` : '');

export const en: Texts = {
  locale: 'en-GB',
  unknownStore: 'your store',
  texts: {
    'order.paid': ({ order_number, total_pence, currency }, { store, money }) => ({
      title: `Receipt for order ${order_number}`,
      body: `${store} received your payment of ${money(total_pence, currency)} for order ${order_number}. Thank you.`,
    }),
    'order.accepted': ({ order_number, collection_code }, { store }) => ({
      title: `Order ${order_number} is accepted`,
      body: `${store} has your order.${atCounter(collection_code)}`,
    }),
    'order.ready': ({ order_number, collection_code }, { store }) => ({
      title: `Order ${order_number} is ready`,
      body: `Your order at ${store} is ready.${atCounter(collection_code)}`,
    }),
    'order.cancelled': ({ order_number }, { store }) => ({
      title: `Order ${order_number} was cancelled`,
      body: `${store} had to cancel your order. Money that goes back to you is told of separately.`,
    }),
    'order.refunded': ({ order_number, amount_pence, cumulative_pence, full }, { store, money }) => ({
      title: `Refund for order ${order_number}`,
      body:
        `${store} refunded ${money(amount_pence)}. ` +
        (full ? 'Everything you paid is on its way back.' : `That makes ${money(cumulative_pence)} refunded for this order.`),
    }),
    'order.running_late': ({ order_number, new_eta, note }, { store, time }) => ({
      title: `Order ${order_number} is running late`,
      body: `${store} now expects it at ${time(new_eta)}.${note ? ` “${note}”` : ''}`,
    }),
    'order.slot_moved': ({ order_number, collection_at }, { store, time }) => ({
      title: `Order ${order_number} can be collected earlier`,
      body: `${store} moved your collection to ${time(collection_at)}.`,
    }),
    'stamp.pending': (_facts, { store }) => ({ title: 'A stamp is being checked', body: `${store} will confirm it soon.` }),
    'stamp.approved': (facts, { store }) => ({ title: 'You have a new stamp', body: `${card(facts)} Thank you for visiting ${store}.` }),
    'stamp.rejected': (facts, { store }) => ({ title: 'A stamp was not confirmed', body: `${store} did not confirm it. ${card(facts)}` }),
    'stamp.undone': (facts, { store }) => ({ title: 'A stamp was taken back', body: `${store} corrected your card. ${card(facts)}` }),
    'stamp.reversed': (facts, { store }) => ({
      title: 'A stamp was taken back',
      body: `The order behind it at ${store} was refunded. ${card(facts)}`,
    }),
    'multi_stamp.confirmed': (facts, { store }) => ({
      title: `You have ${stamps(facts.stamps)} more`,
      body: `${card(facts)} Thank you for visiting ${store}.`,
    }),
    'voucher.minted': ({ reward_title, code_tail }, { store }) => ({
      title: 'You earned a reward',
      body: `${reward(reward_title)} waits for you at ${store}: the voucher ending in ${code_tail}.`,
    }),
    'voucher.redeemed': ({ reward_title, code_tail }, { store }) => ({
      title: 'Your voucher was used',
      body: `${reward(reward_title)} was used at ${store}: the voucher ending in ${code_tail}.`,
    }),
    'voucher.restored': ({ reward_title, code_tail }, { store }) => ({
      title: 'Your voucher is good again',
      body: `${reward(reward_title)} can be used at ${store} again: the voucher ending in ${code_tail}.`,
    }),
    'voucher.voided': ({ reward_title, code_tail }, { store }) => ({
      title: 'A voucher is no longer valid',
      body: `${reward(reward_title)} at ${store} was withdrawn: the voucher ending in ${code_tail}.`,
    }),
    'voucher.expired': ({ reward_title, code_tail }, { store }) => ({
      title: 'A voucher has expired',
      body: `${reward(reward_title)} at ${store} is past its last day: the voucher ending in ${code_tail}.`,
    }),
    'queue.called': ({ hold_until }, { store, time }) => ({
      title: 'It is your turn',
      body: `${store} holds your place until ${time(hold_until)}.`,
    }),
    'queue.no_show': (_facts, { store }) => ({
      title: 'You missed your turn',
      body: `${store} called you and gave your place on. You can join the queue again.`,
    }),
  },
};
