import type { bookingStatuses, depositStates } from '@corner/contracts';

/** `waiting` has no place yet: it is in the line of a full class. `unpaid` has one, until its deposit is overdue. */
export type BookingStatus = 'waiting' | 'unpaid' | (typeof bookingStatuses)[number];

/** The status as released readers know it. */
export const shownStatus = (status: BookingStatus) => (isPending(status) ? 'requested' : status);

/** Whether events are published about the booking: one whose deposit is due sends no messages. */
export const isPublished = ({ status }: { readonly status: BookingStatus }): boolean => status !== 'unpaid';

const isPending = (status: BookingStatus): status is 'waiting' | 'unpaid' => status === 'waiting' || status === 'unpaid';

const live = ['waiting', 'unpaid', 'requested', 'booked', 'arrived'] as const satisfies readonly BookingStatus[];
const ahead = ['requested', 'booked'] as const satisfies readonly BookingStatus[];

export const steps = {
  confirm: { from: ['requested'], to: 'booked' },
  cancel: { from: ['waiting', 'unpaid', ...ahead], to: 'cancelled' },
  arrive: { from: ahead, to: 'arrived' },
  complete: { from: [...ahead, 'arrived'], to: 'done' },
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
) => {
  if (isPending(status)) return Date.parse(starts_at);
  return isAhead(status) ? Date.parse(starts_at) - noticeMinutes * 60_000 : null;
};

/** How long a booking keeps its time until its deposit is paid, in milliseconds. */
const depositMs = 15 * 60_000;

/** In epoch milliseconds: never after the booking begins. */
export const payBefore = (now: number, startsAt: number): number => Math.min(now + depositMs, startsAt);

/** The state of a deposit as it is shown: the store keeps one that was paid when its booking ended otherwise than served. */
export const depositState = (state: StoredDeposit, status: BookingStatus): (typeof depositStates)[number] =>
  state === 'paid' && (status === 'cancelled' || status === 'no_show') ? 'kept' : state;

export type StoredDeposit = Exclude<(typeof depositStates)[number], 'kept'>;

/** How long a freed place is kept for the one to whom it is offered, in milliseconds. */
export const offerMs = 10 * 60_000;

/**
 * Plans the line of a class, in its order: who leaves, because a kept place was not accepted in time or the class has begun, and to whom
 * each free place is offered, the first whose party fits. `placesLeft` are free before anyone leaves.
 */
export function planLine<W extends Waiting>(line: readonly W[], { placesLeft, open, now }: ClassNow): LinePlan<W> {
  const leaving = line.filter(({ offer_until, erased }) => !open || erased || (offer_until !== null && Date.parse(offer_until) <= now));
  let left = leaving.reduce((sum, waiting) => sum + heldBy(waiting), placesLeft);
  const offered = line.filter((waiting) => {
    if (leaving.includes(waiting) || waiting.offer_until !== null || waiting.party_size > left) return false;
    left -= waiting.party_size;
    return true;
  });
  return { leaving, offered };
}

export const heldBy = ({ offer_until, party_size }: Pick<Waiting, 'offer_until' | 'party_size'>): number =>
  offer_until === null ? 0 : party_size;

interface Waiting {
  readonly offer_until: string | null;
  readonly party_size: number;
  /** Its customer was erased: nothing is offered any more. */
  readonly erased: boolean;
}

interface ClassNow {
  readonly placesLeft: number;
  readonly open: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface LinePlan<W> {
  readonly leaving: readonly W[];
  readonly offered: readonly W[];
}

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

/** Whether someone has missed as many bookings as the store allows; null is no limit. */
const needsConfirming = ({ no_shows, no_shows_allowed }: { readonly no_shows: number; readonly no_shows_allowed: number | null }) =>
  no_shows_allowed !== null && no_shows >= no_shows_allowed;

export const statusOf = (booker: Parameters<typeof needsConfirming>[0]): 'requested' | 'booked' =>
  needsConfirming(booker) ? 'requested' : 'booked';

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
