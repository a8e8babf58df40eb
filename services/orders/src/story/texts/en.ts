import type { NoStampFacts } from '../rules/facts.ts';
import type { Format, StoryTexts, StoryWords } from './text.ts';

const words: StoryWords = {
  actors: {
    store: ({ by_name }) => `by ${by_name ?? 'the shop'}`,
    customer: (_facts, { isCustomer }) => (isCustomer ? 'by you' : 'by the customer'),
    system: () => 'automatically',
    provider: () => 'at the payment provider',
  },
  about: {
    receipt: 'the receipt',
    accepted: 'the order is accepted',
    ready: 'the order is ready',
    not_ready: 'the order is not ready yet',
    cancelled: 'the order was cancelled',
    not_accepted: 'the order was not accepted in time',
    refunded: 'money was refunded',
    refund_failed: 'a refund did not arrive',
    running_late: 'the order is running late',
    slot_moved: 'the order can be collected earlier',
  },
  channels: { push: 'as a notification on the phone', email: 'by e-mail', sms: 'by text message' },
};

const stamps = { one: 'stamp', other: 'stamps' } as const;
const count = (stampCount: number, format: Format) => `${stampCount} ${format.plural(stampCount, stamps)}`;
const titled = (title: string | null) => (title === null ? '' : ` (${title})`);

const noStamp: StoryTexts['noStamp'] = {
  no_programme: () => 'No stamp: the shop has no stamp card.',
  programme_off: () => 'No stamp: the shop’s stamp card is switched off.',
  rewards_visits: () => 'No stamp: the shop gives stamps for visits, not for orders.',
  rewards_membership: () => 'No stamp: the shop rewards members, not orders.',
  below_min_spend: ({ amount_pence }: NoStampFacts, { money }) =>
    amount_pence === null
      ? 'No stamp: the order cost too little.'
      : `No stamp: an order must cost at least ${money(amount_pence)} without its tip.`,
  no_stamps_for_orders: () => 'No stamp: the shop gives none for orders at the moment.',
  not_paid_yet: () => 'No stamp yet: the order is not paid.',
  never_paid: () => 'No stamp: the order was not paid.',
  paid_too_late: () => 'No stamp: the payment came after the order had ended, so it goes back.',
  no_customer: () => 'No stamp: the sale is on no one’s card.',
  on_its_way: () => 'No stamp yet: it is on its way.',
  refunded: () => 'No stamp: the order was refunded in full.',
  dispute_lost: () => 'No stamp: the bank took the payment back.',
  unknown: () => 'No stamp. The reason was not recorded.',
};

export const en: StoryTexts = {
  locale: 'en-GB',
  noStamp,
  counting: ({ counting, taken_back }, format) =>
    `The order earned ${count(counting, format)}.${taken_back > 0 ? ` ${count(taken_back, format)} no longer count.` : ''}`,
  entries: {
    placed: ({ amount_pence }, { money }) => `The order was placed for ${money(amount_pence)}.`,
    promo_used: ({ amount_pence, title }, { money }) => `A promo code${titled(title)} took ${money(amount_pence)} off.`,
    voucher_used: ({ amount_pence, title }, { money }) => `A voucher${titled(title)} took ${money(amount_pence)} off.`,
    payment_declined: () => 'The bank declined a payment.',
    paid: ({ amount_pence }, { money }) => `${money(amount_pence)} was paid.`,
    paid_too_late: ({ amount_pence }, { money }) => `${money(amount_pence)} was paid after the order had ended, so it goes back.`,
    accepted: () => 'The shop accepted the order.',
    preparing: () => 'The shop began to prepare the order.',
    ready: () => 'The order was ready.',
    collected: () => 'The order was handed over.',
    not_collected: () => 'The order was not collected, and has ended.',
    corrected: () => 'The shop corrected the status of the order.',
    delayed: ({ expected_at }, { time }) =>
      expected_at === null ? 'The order was running late.' : `The order was running late: expected at ${time(expected_at)}.`,
    collect_earlier: ({ expected_at }, { time }) =>
      expected_at === null ? 'An earlier time was booked.' : `An earlier time was booked: ${time(expected_at)}.`,
    cancelled: ({ by, ...named }, format) => `The order was cancelled ${words.actors[by](named, format)}.`,
    expired: () => 'The order was not paid in time, and has ended.',
    refund_requested: ({ amount_pence, by, ...named }, format) =>
      `A refund of ${format.money(amount_pence)} was requested ${words.actors[by](named, format)}.`,
    partly_refunded: ({ amount_pence, by, ...named }, format) =>
      `${format.money(amount_pence)} was refunded ${words.actors[by](named, format)}.`,
    refunded: ({ amount_pence, by, ...named }, format) =>
      `${format.money(amount_pence)} was refunded ${words.actors[by](named, format)}. All that was paid is refunded.`,
    refund_failed: ({ amount_pence }, { money }) => `A refund of ${money(amount_pence)} failed: the money did not arrive.`,
    disputed: ({ amount_pence }, { money }) => `The payment of ${money(amount_pence)} was disputed at the bank.`,
    dispute_won: () => 'The dispute ended: the payment stands.',
    dispute_lost: ({ amount_pence }, { money }) => `The dispute ended: the bank gave ${money(amount_pence)} back.`,
    voucher_returned: ({ title }) => `The voucher${titled(title)} was given back.`,
    stamps_earned: ({ stamps: earned, count_after, goal }, format) =>
      `The order earned ${count(earned, format)}.${count_after === null ? '' : ` The card had ${count_after} of ${goal}.`}`,
    reward_earned: ({ title }) => `The card was full: a reward${titled(title)}.`,
    stamps_taken_back: ({ stamps: taken, reason }, format) =>
      `${count(taken, format)} ${format.plural(taken, { one: 'was', other: 'were' })} taken back: ${
        reason === 'dispute_lost' ? 'the bank took the payment back' : 'the order was refunded in full'
      }.`,
    no_stamp: (facts, format) => noStamp[facts.reason](facts, format),
    receipt_sent: ({ channel }) => `The receipt was sent ${words.channels[channel]}.`,
    message_sent: ({ channel, about }) => `A message was sent ${words.channels[channel]}: ${words.about[about]}.`,
    message_failed: ({ channel, about }) => `A message could not be sent ${words.channels[channel]}: ${words.about[about]}.`,
    message_muted: ({ about }, { isCustomer }) =>
      `No message was sent (${words.about[about]}): ${isCustomer ? 'you have' : 'the customer has'} no address for it.`,
  },
};
