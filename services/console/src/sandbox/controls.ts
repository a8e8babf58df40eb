import type { Sandbox } from '@corner/console-api';
import { Problem } from '@corner/contracts';
import { z } from 'zod';
import { messageIn, type Simulator } from './simulator.ts';

type Described = Sandbox['controls'][number];

export interface Control extends Omit<Described, 'name'> {
  readonly run: (values: Readonly<Record<string, string>>) => Promise<string>;
}

export type Controls = Readonly<Record<string, Control>>;

export const text = (name: string, label: string): Described['fields'][number] => ({ name, label, kind: 'text', required: true });
export const store = (name: string, label: string): Described['fields'][number] => ({ name, label, kind: 'store', required: true });
const number = (name: string, label: string): Described['fields'][number] => ({ name, label, kind: 'number', required: true });
export const choice = (name: string, label: string, choices: string[]): Described['fields'][number] => ({
  name,
  label,
  kind: 'choice',
  choices,
  required: true,
});

const Payment = z.object({ status: z.string() });
const cards = ['pm_card_visa', 'pm_card_processing', 'pm_card_pendingRefund', 'pm_card_refundFail', 'pm_card_createDispute'];

export const paymentControls = (payments: Simulator): Controls => ({
  ...payingControls(payments),
  ...webhookControls(payments),
  ...wireControls(payments),
});

const payingControls = (payments: Simulator): Controls => ({
  pay: {
    title: 'Pay an order',
    about: 'Pays as the payment sheet of an app does.',
    group: 'payments',
    fields: [text('order_id', 'Order id'), choice('card', 'Card', cards)],
    async run({ order_id = '', card = '' }) {
      return `The payment is ${await confirm(payments, await payments.intentOf(order_id), card)}.`;
    },
  },
  decline: {
    title: 'Decline a payment',
    about: 'Pays with a card that the bank declines.',
    group: 'payments',
    fields: [text('order_id', 'Order id')],
    async run({ order_id = '' }) {
      const { status, body } = await confirmIntent(payments, await payments.intentOf(order_id), 'pm_card_chargeDeclined');
      if (status !== 402) throw new Problem('VALIDATION_FAILED', { message: messageIn(body) });
      return 'The card was declined; the order waits for another one.';
    },
  },
  dispute: {
    title: 'Dispute a payment',
    about: 'The customer’s bank takes the money of an order back.',
    group: 'payments',
    fields: [text('order_id', 'Order id')],
    async run({ order_id = '' }) {
      await payments.control('open-dispute', { payment_intent: await payments.intentOf(order_id) });
      return 'The dispute is open.';
    },
  },
});

export async function confirm(payments: Simulator, intent: string, card: string): Promise<string> {
  const { status, body } = await confirmIntent(payments, intent, card);
  if (status !== 200) throw new Problem('VALIDATION_FAILED', { message: messageIn(body) });
  return Payment.parse(body).status;
}

const confirmIntent = async (payments: Simulator, intent: string, card: string) =>
  await payments.call(`/v1/payment_intents/${intent}/confirm`, { payment_method: card, return_url: 'https://example.com/return' });

const webhookControls = (payments: Simulator): Controls => ({
  'late-webhooks': {
    title: 'Delay webhooks',
    about: 'The provider’s events arrive later from now on.',
    group: 'payments',
    fields: [number('seconds', 'Seconds')],
    async run({ seconds = '' }) {
      await payments.control('delivery', { delayMs: Number(seconds) * 1000 });
      return `Webhooks arrive ${seconds} seconds late.`;
    },
  },
  'double-webhooks': {
    title: 'Double webhooks',
    about: 'Each of the provider’s events arrives several times from now on.',
    group: 'payments',
    fields: [number('copies', 'Further copies')],
    async run({ copies = '' }) {
      await payments.control('delivery', { duplicates: Number(copies) });
      return `Each webhook arrives ${Number(copies) + 1} times.`;
    },
  },
  'lose-webhooks': {
    title: 'Lose webhooks',
    about: 'A share of the provider’s events never arrives. A job finds them in the provider’s list.',
    group: 'payments',
    fields: [number('percent', 'Percent')],
    async run({ percent = '' }) {
      await payments.control('delivery', { dropPercent: Number(percent) });
      return `${percent} percent of the webhooks are lost.`;
    },
  },
});

const wireControls = (payments: Simulator): Controls => ({
  'fail-payments': {
    title: 'Break the wire to the payment provider',
    about: 'The next requests to the provider fail.',
    group: 'wires',
    fields: [
      choice('how', 'How', ['error_before', 'error_after', 'lost_before', 'lost_after', 'rate_limited']),
      number('times', 'Requests'),
    ],
    async run({ how = '', times = '' }) {
      await payments.control('fail-next', { how, times: Number(times) });
      return `The next ${times} requests fail: ${how}.`;
    },
  },
  'slow-payments': {
    title: 'Slow the payment provider down',
    about: 'Every response of the provider takes longer from now on.',
    group: 'wires',
    fields: [number('milliseconds', 'Milliseconds')],
    async run({ milliseconds = '' }) {
      await payments.control('latency', { milliseconds: Number(milliseconds) });
      return `Each response takes ${milliseconds} ms.`;
    },
  },
  'mend-payments': {
    title: 'Mend the payment provider',
    about: 'Webhooks arrive once and at once, and no request fails.',
    group: 'payments',
    fields: [],
    async run() {
      await payments.control('delivery', { delayMs: 0, duplicates: 0, dropPercent: 0 });
      await payments.control('clear-faults', {});
      await payments.control('latency', { milliseconds: 0 });
      return 'The payment provider works as usual.';
    },
  },
  'advance-payments': {
    title: 'Move the payment provider’s clock',
    about: 'The clock of the provider goes forward: payouts and deadlines come sooner.',
    group: 'clock',
    fields: [number('hours', 'Hours')],
    async run({ hours = '' }) {
      await payments.control('advance', { milliseconds: Number(hours) * 3_600_000 });
      return `The provider’s clock is ${hours} hours further.`;
    },
  },
});

export const messageControls = (messages: Simulator): Controls => ({
  'fail-messages': {
    title: 'Break a message provider',
    about: 'The next messages that the provider gets fail.',
    group: 'messages',
    fields: [
      choice('at', 'Provider', ['smtp', 'fcm', 'apns', 'twilio', 'google-wallet']),
      choice('how', 'How', ['unavailable', 'too_many', 'refused', 'hang_up', 'hang_up_after']),
      number('times', 'Messages'),
    ],
    async run({ at = '', how = '', times = '' }) {
      await messages.control('fail', { at, how, times: Number(times) });
      return `The next ${times} messages at ${at} fail: ${how}.`;
    },
  },
  'mend-messages': {
    title: 'Mend the message providers',
    about: 'No message fails any more.',
    group: 'messages',
    fields: [],
    async run() {
      await messages.control('clear-faults', {});
      return 'The message providers work as usual.';
    },
  },
  'empty-inbox': {
    title: 'Empty the inbox',
    about: 'Removes what the message providers were sent.',
    group: 'messages',
    fields: [],
    async run() {
      await messages.control('empty', {});
      return 'The inbox is empty.';
    },
  },
});
