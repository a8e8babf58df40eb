import { dayText } from '../../../logic/format.ts';
import type { Appointment, AppointmentStep, WeeklyClass } from './appointment-operations.ts';

type Status = Appointment['status'];

/** Milliseconds before and after its start in which a party can be marked as arrived; a later unmarked booking can only be completed. */
const aboutStart = 12 * 3_600_000;

type Listed = Pick<Appointment, 'status' | 'starts_at' | 'waitlist' | 'deposit'>;

export function appointmentSteps({ status, starts_at, waitlist, deposit }: Listed, now: number): readonly Offered[] {
  if (waitlist || deposit?.state === 'due') return [['cancel', 'Cancel']];
  const since = now - Date.parse(starts_at);
  const isOffered: Partial<Readonly<Record<AppointmentStep, boolean>>> = {
    'no-show': since >= 0,
    arrive: Math.abs(since) < aboutStart,
    complete: status === 'arrived' || since >= aboutStart,
  };
  return offered[status].filter(([step]) => isOffered[step] ?? true);
}

export type Offered = readonly [step: AppointmentStep, label: string];

const offered: Readonly<Record<Status, readonly Offered[]>> = {
  requested: [
    ['confirm', 'Confirm'],
    ['arrive', 'Is here'],
    ['complete', 'Done'],
    ['no-show', 'No-show'],
    ['cancel', 'Cancel'],
  ],
  booked: [
    ['arrive', 'Is here'],
    ['complete', 'Done'],
    ['no-show', 'No-show'],
    ['cancel', 'Cancel'],
  ],
  arrived: [['complete', 'Done']],
  done: [['reopen', 'Undo']],
  no_show: [['reopen', 'Undo']],
  cancelled: [],
};

const statusTexts: Readonly<Record<Status, string>> = {
  requested: 'waits for you',
  booked: 'booked',
  arrived: 'is here',
  done: 'served',
  no_show: 'no-show',
  cancelled: 'cancelled',
};

const depositTexts: Readonly<Record<NonNullable<Appointment['deposit']>['state'], string>> = {
  due: 'deposit is due',
  unpaid: 'deposit not paid',
  paid: 'deposit paid',
  refunding: 'deposit goes back',
  refunded: 'deposit refunded',
  kept: 'deposit kept',
};

export function statusText({ status, waitlist, deposit }: Pick<Appointment, 'status' | 'waitlist' | 'deposit'>): string {
  if (waitlist) return `number ${waitlist.place} in line${waitlist.offer_until ? ', a place is kept' : ''}`;
  if (!deposit) return statusTexts[status];
  return deposit.state === 'due' ? depositTexts.due : `${statusTexts[status]}, ${depositTexts[deposit.state]}`;
}

type Ahead = Pick<WeeklyClass['ahead'][number], 'day' | 'state'>;

const whyNone: Partial<Readonly<Record<Ahead['state'], string>>> = {
  closed: 'the store is closed',
  not_free: 'no chair is free',
  cancelled: 'it is cancelled',
};

/** Says on which days ahead a weekly class has none, a sentence for each reason. */
export const lackingTexts = (ahead: readonly Ahead[], language?: string): readonly string[] =>
  [...Map.groupBy(ahead, ({ state }) => whyNone[state])].flatMap(([why, days]) =>
    why === undefined ? [] : [`No class on ${days.map(({ day }) => dayText(day, 'day', language)).join(', ')}: ${why}.`],
  );

export const bookedBy = ({ customer_name, guest_name, customer_id }: Pick<Appointment, 'customer_name' | 'guest_name' | 'customer_id'>) =>
  customer_name ?? guest_name ?? (customer_id === null ? 'Guest' : 'Customer');
