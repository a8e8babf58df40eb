import type { bookingStatuses } from '@corner/contracts';

export type BookingStatus = (typeof bookingStatuses)[number];

const live = ['requested', 'booked', 'arrived'] as const satisfies readonly BookingStatus[];
const ahead = ['requested', 'booked'] as const satisfies readonly BookingStatus[];

export const steps = {
  confirm: { from: ['requested'], to: 'booked' },
  cancel: { from: ahead, to: 'cancelled' },
  arrive: { from: ahead, to: 'arrived' },
  complete: { from: live, to: 'done' },
  noShow: { from: ahead, to: 'no_show' },
} as const satisfies Readonly<Record<string, { readonly from: readonly BookingStatus[]; readonly to: BookingStatus }>>;
export type BookingStep = keyof typeof steps;

export function checkStep(status: BookingStatus, step: BookingStep): 'allowed' | 'already-made' | 'refused' {
  const { from, to }: { readonly from: readonly BookingStatus[]; readonly to: BookingStatus } = steps[step];
  if (from.includes(status)) return 'allowed';
  return status === to ? 'already-made' : 'refused';
}

export const isLive = (status: BookingStatus): boolean => (live as readonly BookingStatus[]).includes(status);

/** Hours before or after its start in which a party can arrive although the date at the store has changed. */
const aboutMidnight = 3;

export function arrivesOnDay({ starts_at, time_zone }: { readonly starts_at: string; readonly time_zone: string }, now: number): boolean {
  const starts = Temporal.Instant.from(starts_at);
  const at = Temporal.Instant.fromEpochMilliseconds(now);
  if (Math.abs(now - starts.epochMilliseconds) <= aboutMidnight * 3_600_000) return true;
  return at.toZonedDateTimeISO(time_zone).toPlainDate().equals(starts.toZonedDateTimeISO(time_zone).toPlainDate());
}

export const isAhead = (status: BookingStatus): boolean => (ahead as readonly BookingStatus[]).includes(status);

/** In epoch milliseconds; null when the owner cannot change the booking at any time. */
export const changesUntil = (
  { status, starts_at }: { readonly status: BookingStatus; readonly starts_at: string },
  noticeMinutes: number,
) => (isAhead(status) ? Date.parse(starts_at) - noticeMinutes * 60_000 : null);

/** The most bookings ahead at one store: of a customer, of guests from one address, and of guests with one number. */
export const mostAhead = { customer: 8, address: 2, phone: 1 } as const;

export function mayBook({ customerId, ahead, aheadOfPhone }: Booker): boolean {
  if (customerId !== null) return ahead < mostAhead.customer;
  return ahead < mostAhead.address && aheadOfPhone < mostAhead.phone;
}

export interface Booker {
  readonly customerId: string | null;
  /** Bookings ahead of the customer; for a guest, those from the guest's address. */
  readonly ahead: number;
  readonly aheadOfPhone: number;
}

/** Days for which a completion or a no-show can be undone. */
const undoneDays = 30;

export function checkUndoing({ status, ended_at, ended_from, places, session_state }: Ended, now: number): Undoing {
  if (isLive(status)) return { verdict: 'already-made' };
  if (places > 1 && session_state === 'cancelled') return { verdict: 'refused', why: 'Its class was cancelled.' };
  if (status === 'cancelled' || ended_at === null || ended_from === null)
    return { verdict: 'refused', why: 'A cancelled booking cannot be brought back: make another one.' };
  if (now - Date.parse(ended_at) > undoneDays * 86_400_000)
    return { verdict: 'refused', why: `It ended more than ${undoneDays} days ago.` };
  return { verdict: 'allowed', to: ended_from };
}

interface Ended {
  readonly status: BookingStatus;
  readonly ended_at: string | null;
  readonly ended_from: BookingStatus | null;
  readonly places: number;
  readonly session_state: 'open' | 'done' | 'cancelled';
}

type Undoing =
  | { readonly verdict: 'allowed'; readonly to: BookingStatus }
  | { readonly verdict: 'already-made' }
  | { readonly verdict: 'refused'; readonly why: string };
