import type { Tone } from '../../../../components/index.ts';
import { money, plural } from '../../../../logic/format.ts';
import type { AccountReply, PayoutsReply } from './account-operations.ts';

type Account = NonNullable<AccountReply['account']>;

const parts: Readonly<Record<string, string>> = {
  external_account: 'a bank account for payouts',
  tos_acceptance: 'agreement to the provider’s terms',
  business_profile: 'a description of the business',
  business_type: 'the kind of business',
  company: 'details of the company',
  individual: 'details of the person',
  representative: 'details of the person in charge',
  owners: 'the owners of the business',
  directors: 'the directors of the business',
  verification: 'a proof of identity',
};

export const requirementTexts = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => textOf(name.replace(/^person_[^.]+/, 'representative')))),
];

function textOf(name: string): string {
  const steps = name.split('.');
  if (steps.includes('verification')) return parts.verification ?? name;
  return parts[steps[0] ?? ''] ?? name.replaceAll(/[._]/g, ' ');
}

export interface AccountState {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** Null is a store without an account. `action` is the text of the button that leads to the provider. */
export function accountState(account: Account | null): AccountState {
  if (account === null)
    return {
      tone: 'warn',
      title: 'No payment account',
      text: 'Customers cannot order until the payment provider knows the business and the bank account that it pays.',
      action: 'Set up payments',
    };
  const { accepts_orders, payouts_enabled, details_submitted, requirements, connected } = account;
  const isDue = requirements.currently_due.length + requirements.past_due.length > 0;
  if (!accepts_orders && !details_submitted)
    return { tone: 'warn', title: 'Not finished', text: 'Customers cannot order yet. Go on where you left off.', action: 'Go on' };
  if (!accepts_orders)
    return {
      tone: 'bad',
      title: 'No payments',
      text: isDue
        ? 'Customers cannot order until what is missing is given.'
        : 'The provider is checking what was given. Customers cannot order yet.',
      action: isDue ? 'Give what is missing' : 'See it at the provider',
    };
  if (!connected)
    return {
      tone: 'info',
      title: 'Ready',
      text: 'It is being connected with the store, which takes a moment.',
      action: 'See it at the provider',
    };
  if (isDue || !payouts_enabled)
    return {
      tone: 'warn',
      title: payouts_enabled ? 'Something is missing' : 'No payouts',
      text: payouts_enabled
        ? 'Customers can order. Give what is missing in time, so that it stays so.'
        : 'Customers can order, and the money waits at the provider.',
      action: isDue ? 'Give what is missing' : 'See it at the provider',
    };
  return {
    tone: 'good',
    title: 'Payments work',
    text: 'Customers can order, and the money is paid out to your bank.',
    action: 'Change it at the provider',
  };
}

type Payout = PayoutsReply['payouts'][number];

export const dayText = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );

export function nextPayoutText(payouts: readonly Payout[]): string | null {
  const coming = payouts.filter(({ status }) => status === 'pending' || status === 'in_transit');
  const next = coming.toSorted((a, b) => a.arrival_date.localeCompare(b.arrival_date))[0];
  return next ? `${money(next.amount_pence, next.currency)} comes on ${dayText(next.arrival_date)}.` : null;
}

export function matchedText({ matched, currency }: Payout): string | null {
  if (matched === null) return null;
  const orders = `${plural(matched.orders, 'order')}: ${money(matched.amount_pence, currency)}`;
  return matched.other_pence === 0 ? orders : `${orders}; other: ${money(matched.other_pence, currency)}`;
}

const payoutStates: Readonly<Record<string, readonly [Tone, string]>> = {
  pending: ['info', 'on its way'],
  in_transit: ['info', 'on its way'],
  paid: ['good', 'paid'],
  failed: ['bad', 'failed'],
  canceled: ['quiet', 'cancelled'],
};

export const payoutState = (status: string): readonly [Tone, string] => payoutStates[status] ?? ['quiet', status];
